"""Regulars and line-ups: the page of an entry's roster, questions to regulars, and *I play for …*."""

from __future__ import annotations

from typing import Any

from discord import ui

from bot.i18n import Words
from bot.tournaments.event.entries import Entrant
from bot.tournaments.event.joining.rosters import require_regulars_allowed, seats_to_take
from bot.tournaments.event.match_state import MatchState
from bot.tournaments.event.matches import side_of_seat
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.tournament import News, Tournament
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import (
    PRIMARY,
    SUCCESS,
    Option,
    Page,
    Part,
    button,
    button_row,
    page,
    select,
    text,
)
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.serving.context import Context
from cogs.tournament import wording
from cogs.tournament.control_ids import control, link_of
from cogs.tournament.players.chosen_people import Chosen, parse_chosen_ids, partners_in_menu


def roster_page(words: Words, tournament: Tournament, entrant: Entrant, person: int) -> Page:
    """Return the page of an entry's roster: its regulars, its line-up, and what the reader may do."""
    title = words("roster.title", name=wording.person_names(words, tournament, entrant.people))
    lines = [title, *_roster_lines(words, tournament, entrant)]
    parts: list[Part | None] = [text("\n".join(lines))]
    if entrant.regulars:
        options = [
            Option(str(one), wording.plain_person_name(words, tournament, one), None, one in entrant.players)
            for one in entrant.members
        ]
        size = len(entrant.people)
        link = control(tournament.id, "t_players")
        parts.append(select(link, words("roster.who_plays"), options, least=size, most=size))
    if len(entrant.regulars) + len(entrant.asked) < tournament.plan.most_regulars:
        link = control(tournament.id, "t_regular")
        menu: ui.UserSelect[ui.LayoutView] = ui.UserSelect(custom_id=str(link), placeholder=words("roster.ask"))
        parts.append(ui.ActionRow(menu))
    free = [
        button(control(tournament.id, "t_stand_in", one.id), words("roster.play_for", name=name), style=PRIMARY)
        for one in tournament.matches
        if one.result is None and not one.voided
        for name in _awaited_names(words, tournament, one, person)
    ]
    parts.append(button_row(*free[:5]))
    return page([one for one in parts if one is not None])


def _roster_lines(words: Words, tournament: Tournament, entrant: Entrant) -> list[str]:
    """Return lines on the regulars, on people asked to be one, and on the line-up."""
    most = tournament.plan.most_regulars
    lines = []
    if entrant.regulars:
        lines.append(words("roster.regulars", names=wording.person_names(words, tournament, entrant.regulars)))
    else:
        lines.append(words("roster.none", count=most))
    for one in entrant.asked:
        asked = wording.person_name(words, tournament, one.person)
        lines.append(words("roster.asked", name=asked, until=wording.date_and_time(one.until)))
    lines.append(words("roster.plays", names=wording.person_names(words, tournament, entrant.players)))
    return lines


def _awaited_names(words: Words, tournament: Tournament, match: MatchState, person: int) -> list[str]:
    """Return the names of absent players in whose place the person may play."""
    seats = (match.seats[one.seat] for one in seats_to_take(tournament, match, person))
    return [wording.plain_person_name(words, tournament, one) for one in seats if one is not None]


def take_absent_seat_button(words: Words, tournament: Tournament, news: News) -> ui.Button[Any] | None:
    """Return the button with which a member of an entry takes the seat of its absent player.

    It is shown under the news about that player; None for other news, or if no member is free.
    """
    match = None if news.match is None else tournament.find_match(news.match)
    if news.code != "table_waits" or match is None or not news.persons or news.persons[0] not in match.seats:
        return None
    awaited = news.persons[0]
    side = side_of_seat(tournament, match, match.seats.index(awaited))
    entries = [tournament.entrant(one) for one in match.sides[side]]
    free = [
        one
        for entry in entries
        if awaited in entry.present_and_former_members
        for one in entry.members
        if one not in match.seats
    ]
    if not free:
        return None
    name = wording.plain_person_name(words, tournament, awaited)
    return button(control(tournament.id, "t_stand_in", match.id), words("roster.play_for", name=name))


def regular_question_buttons(words: Words, tournament: Tournament, news: News) -> Part | None:
    """Return the buttons under the question whether to be a regular; None for other news."""
    if news.code != "regular_asked":
        return None
    return button_row(
        button(control(tournament.id, "t_reg_yes", news.entries[0]), words("tournament.yes"), style=SUCCESS),
        button(control(tournament.id, "t_reg_no", news.entries[0]), words("tournament.no")),
    )


async def show_roster(context: Context, interaction: Interaction, tournament: Tournament) -> None:
    """Show the person's roster privately. Refusals: not_entered, no_regulars."""
    del context
    entrant = tournament.entry_of(interaction.user.id)
    if entrant is None:
        raise TournamentRefusal(TournamentCode.NOT_ENTERED)
    require_regulars_allowed(tournament)
    words = interactions.words_for(interaction)
    update = interactions.is_in_private_message(interaction)
    await interactions.show_page(
        interaction, roster_page(words, tournament, entrant, interaction.user.id), update=update
    )


class RosterControls:
    """Handlers of the controls of rosters."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tournaments = context.tournaments
        handlers = {
            "t_lineup": self.show_roster,
            "t_regular": self.ask_regular,
            "t_players": self.set_lineup,
            "t_reg_yes": self.accept_regular_place,
            "t_reg_no": self.decline_regular_place,
            "t_stand_in": self.take_absent_seat,
        }
        for action, handler in handlers.items():
            context.router.add(action, handler)

    async def show_roster(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        """Show the roster of the user's entry."""
        tournament = await self.tournaments.overview.get_tournament(
            link_of(control_id).tournament, guild=interaction.guild_id
        )
        await show_roster(self.context, interaction, tournament)

    async def ask_regular(self, interaction: Interaction, control_id: ControlId, values: Chosen) -> None:
        """Ask the chosen person to be a regular of the user's entry."""
        ((regular, name),) = partners_in_menu(interaction, parse_chosen_ids(values)[:1]).items()
        caller = interactions.caller_of(interaction)
        done = await self.tournaments.entering.ask_regular(
            caller, link_of(control_id).tournament, regular=regular, name=name
        )
        await show_roster(self.context, interaction, done)

    async def set_lineup(self, interaction: Interaction, control_id: ControlId, values: Chosen) -> None:
        """Store the chosen players as the line-up of the user's entry."""
        players = [int(one) for one in parse_chosen_ids(values)]
        caller = interactions.caller_of(interaction)
        done = await self.tournaments.entering.set_lineup(caller, link_of(control_id).tournament, players=players)
        await show_roster(self.context, interaction, done)

    async def accept_regular_place(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        await self._answer_regular_question(interaction, control_id, yes=True)

    async def decline_regular_place(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        await self._answer_regular_question(interaction, control_id, yes=False)

    async def _answer_regular_question(self, interaction: Interaction, control_id: ControlId, *, yes: bool) -> None:
        """Answer the question whether to be a regular of an entry, unless it no longer asks."""
        link, words = link_of(control_id), interactions.words_for(interaction)
        tournament = await self.tournaments.overview.get_tournament(link.tournament, guild=interaction.guild_id)
        asking = tournament.regular_invitation_to(interaction.user.id)
        if asking is None or asking.number != link.argument_number():
            raise TournamentRefusal(TournamentCode.NOT_ASKED)
        caller = interactions.caller_of(interaction)
        done = await self.tournaments.entering.answer_regular_invitation(caller, link.tournament, yes=yes)
        values = {
            "name": wording.tournament_name(done),
            "names": wording.entry_name(words, done, asking.number),
        }
        await interactions.answer_privately(interaction, words("roster.yes" if yes else "roster.no", **values))

    async def take_absent_seat(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        """Give the user the seat of an absent player of their entry."""
        link, words = link_of(control_id), interactions.words_for(interaction)
        caller = interactions.caller_of(interaction)
        done = await self.tournaments.entering.take_over_seat(caller, link.tournament, link.argument_number())
        match = done.match(link.argument_number())
        hand = button_row(button(control(done.id, "t_hand", match.id), words("tournament.my_hand"), style=PRIMARY))
        message = words("tournament.you_are_at_table", round=match.round, table=match.table)
        await interactions.show_page(interaction, page([text(message), *([] if hand is None else [hand])]))
