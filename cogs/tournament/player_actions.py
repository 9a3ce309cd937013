"""The actions of players in tournaments, for commands and buttons alike; each answers privately."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from discord import ui

from bot.clocks.clock import HOUR
from bot.i18n import Words
from bot.tournaments.counted_results import UnpairedReason
from bot.tournaments.event.entries import Entrant, EntryStage
from bot.tournaments.event.joining.former_entries import earlier_entry_of
from bot.tournaments.event.match_state import MatchState
from bot.tournaments.event.matches import absent_persons, require_open_match
from bot.tournaments.event.plan import total_time
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.event.tournament_changes import find_match, open_match_of
from bot.tournaments.formats.by_kind import format_of
from bot.tournaments.formats.individual import partners_of
from bot.tournaments.pairing.swiss import PairingReason
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import DANGER, PRIMARY, Page, button, button_row, page, text, text_page
from cogs.shared.discord_api.interactions import Interaction, is_in_private_message
from cogs.shared.serving import panel
from cogs.shared.serving.context import Context
from cogs.tournament import wording
from cogs.tournament.announcement import answer_after_entering
from cogs.tournament.control_ids import control
from cogs.tournament.round_messages import own_place_text

USUAL_LENGTH = 3 * HOUR


async def enter_tournament(
    context: Context, interaction: Interaction, tournament: Tournament, partners: Mapping[int, str] | None = None
) -> None:
    """Enter the user alone or with the partners, who must agree.

    If partners are missing, show a menu for them.
    """
    words = interactions.words_for(interaction)
    left = earlier_entry_of(tournament, interaction.user.id)
    needed = (tournament.plan.persons_entering_together if left is None else len(left.people)) - 1
    question = tournament.partner_invitation_to(interaction.user.id)
    inside = question is None and tournament.entry_of(interaction.user.id) is not None
    if needed and not partners and not inside:
        await interactions.show_page(interaction, partners_page(words, tournament, needed, question))
        return
    caller = interactions.caller_of(interaction)
    try:
        done = await context.tournaments.entering.enter(caller, tournament.id, partners=partners)
    except TournamentRefusal as refusal:
        if refusal.code not in _ENTERED_BEFORE or not inside:
            raise
        done = tournament
    texts = [
        answer_after_entering(words, done, caller.person),
        await _clash_warning(context, words, done, caller.person),
    ]
    await interactions.show_page(
        interaction, text_page(*filter(None, texts)), update=is_in_private_message(interaction)
    )


_ENTERED_BEFORE: Final = (TournamentCode.ALREADY_ENTERED, TournamentCode.PARTNERS_WRONG)
"""Refusals to a person who has already entered; they are shown as success."""


async def _clash_warning(context: Context, words: Words, tournament: Tournament, person: int) -> str:
    """Return a warning if the person has entered another live tournament at the same time, else ""."""
    start, end = _playing_time_span(tournament)
    for other in await context.tournaments.overview.open_tournaments_of(person):
        began, ends = _playing_time_span(other)
        both = other.plan.live and tournament.plan.live and other.id != tournament.id
        if both and other.entry_of(person) is not None and began < end and start < ends:
            return words("tournament.clash", name=wording.tournament_name(other), when=wording.date_and_time(began))
    return ""


def _playing_time_span(tournament: Tournament) -> tuple[int, int]:
    start = tournament.plan.starts_at
    return start, start + (total_time(tournament.plan) or USUAL_LENGTH)


def partners_page(words: Words, tournament: Tournament, needed: int, question: Entrant | None = None) -> Page:
    """Return the page to choose partners.

    `question` is an invitation by another person that waits for the user's answer.
    """
    link = control(tournament.id, "t_partners")
    menu: ui.UserSelect[ui.LayoutView] = ui.UserSelect(
        custom_id=str(link), placeholder=words("tournament.choose_partners"), min_values=needed, max_values=needed
    )
    lines = [words("tournament.who_with", count=needed)]
    if question is not None:
        name = wording.person_names(words, tournament, [question.captain])
        lines.insert(0, words("tournament.asked_already", name=name))
    return page([text("\n".join(lines)), ui.ActionRow(menu)])


async def ask_before_leaving(context: Context, interaction: Interaction, tournament: Tournament) -> None:
    """Ask the player to confirm leaving the tournament, and explain the consequences."""
    del context
    entrant = tournament.entry_of(interaction.user.id)
    if entrant is None:
        raise TournamentRefusal(TournamentCode.NOT_ENTERED)
    words, regular = interactions.words_for(interaction), interaction.user.id in entrant.regulars
    await interactions.show_page(interaction, confirm_leaving_page(words, tournament, entrant, regular=regular))


def confirm_leaving_page(words: Words, tournament: Tournament, entrant: Entrant, *, regular: bool = False) -> Page:
    """Return the page that asks for confirmation before an entry, or only one of its regulars, leaves."""
    unit = "alone" if len(entrant.people) == 1 else "pairs" if len(entrant.people) == 2 else "team"
    playing = entrant.stage is EntryStage.PLAYING
    match = open_match_of(tournament, entrant.number)
    called = playing and match is not None and match.called_at is not None
    asked = entrant.stage is EntryStage.ASKED
    stage = "called" if called else "playing" if playing else "asked" if asked else "before"
    sure = button(control(tournament.id, "t_leave_yes"), words("tournament.leave"), style=DANGER)
    stay = button(control(tournament.id, "t_stay"), words("tournament.stay"))
    row = button_row(sure, stay)
    message = words("tournament_leaving.regular" if regular else f"tournament_leaving.{stage}_{unit}")
    return page([text(message), *([] if row is None else [row])])


async def leave_tournament(context: Context, interaction: Interaction, tournament_number: int) -> None:
    """Leave the tournament with the whole entry."""
    done = await context.tournaments.entering.leave(interactions.caller_of(interaction), tournament_number)
    words = interactions.words_for(interaction)
    await interactions.show_page(
        interaction, text_page(words("tournament.you_left", name=wording.tournament_name(done))), update=True
    )


async def mark_present(context: Context, interaction: Interaction, tournament: Tournament, match: MatchState) -> None:
    """Mark the person as present at a match's table. Refusals: not_entered, match_over."""
    person = interaction.user.id
    if person not in match.seats:
        raise TournamentRefusal(TournamentCode.NOT_ENTERED)
    require_open_match(match)
    done = await context.tournaments.entering.mark_arrived(person, tournament.id, match.id)
    words, match_state = interactions.words_for(interaction), find_match(done, match.id)
    values = {"round": match.round, "table": match.table}
    lines = [words("tournament.you_are_at_table", **values)]
    missing = [one for one in absent_persons(match_state) if one != person]
    if missing:
        lines.append(words("tournament.partner_missing", names=wording.person_names(words, done, missing)))
    row = button_row(button(control(tournament.id, "t_hand", match.id), words("tournament.my_hand"), style=PRIMARY))
    await interactions.show_page(interaction, page([text(" ".join(lines)), *([] if row is None else [row])]))


async def check_in_or_mark_present(context: Context, interaction: Interaction, tournament: Tournament) -> None:
    """Check the user in or, once their match is called, mark them as present at its table."""
    person = interaction.user.id
    called = [one for one in tournament.matches if person in one.seats and one.result is None and not one.voided]
    if tournament.stage is Stage.RUNNING and called:
        await mark_present(context, interaction, tournament, called[-1])
    else:
        await check_in_entry(context, interaction, tournament.id)


async def check_in_entry(context: Context, interaction: Interaction, tournament_number: int) -> None:
    """Check the person's entry in for the tournament."""
    done = await context.tournaments.entering.check_in(interactions.caller_of(interaction), tournament_number)
    words = interactions.words_for(interaction)
    entrant = done.entry_of(interaction.user.id)
    lines = [words("tournament.you_are_here")]
    if entrant is not None and entrant.stage is EntryStage.WAITING:
        lines = [words("tournament.here_waiting")]
    elif entrant is not None and not set(entrant.players) <= set(entrant.here):
        missing = wording.person_names(words, done, [one for one in entrant.players if one not in entrant.here])
        lines.append(words("tournament.partner_missing", names=missing))
    await interactions.answer_privately(interaction, *lines)


async def show_hand(context: Context, interaction: Interaction, match: MatchState) -> None:
    """Show the player's hand at the table of a match."""
    person = interaction.user.id
    for one in reversed(match.tables):
        view = await context.tables.reading.snapshot(one.table)
        if view.seat_of(person) is not None:
            await panel.answer_with_panel(context, interaction, panel.hand_page(context, interaction, one.table))
            return
    raise TournamentRefusal(TournamentCode.NOT_ENTERED)


async def explain_pairing(
    context: Context, interaction: Interaction, tournament: Tournament, match: MatchState | None
) -> None:
    """Explain why the user was paired with the others at this table."""
    del context
    words = interactions.words_for(interaction)
    turn = tournament.current_round
    number = match.round if match is not None else 0 if turn is None else turn.number
    found = format_of(tournament).explain_pairing(tournament, interaction.user.id, number)
    entrant = tournament.entry_of(interaction.user.id)
    if tournament.plan.traits.partners_change and entrant is not None and entrant.rank:
        await interactions.answer_privately(interaction, partners_line(words, tournament, entrant.number))
        return
    if found is None:
        key = "by_hand" if turn is not None and turn.by_hand else tournament.plan.kind.value
        await interactions.answer_privately(interaction, words(f"tournament_why_of.{key}"))
        return
    await interactions.answer_privately(interaction, *pairing_reason_lines(words, tournament, found))


def partners_line(words: Words, tournament: Tournament, entry: int) -> str:
    """Return a line with the past and future partners of an entry, and on whether any repeats."""
    partners = partners_of(tournament, entry)
    texts = [words("partners.rounds", count=wording.rounds_planned(tournament))]
    if partners:
        texts.append(words("partners.yours", names=wording.entry_names(words, tournament, partners)))
    if len(set(partners)) == len(partners):
        texts.append(words("partners.none_twice"))
    return " ".join(texts)


def pairing_reason_lines(words: Words, tournament: Tournament, reason: PairingReason) -> list[str]:
    """Return lines that explain a pairing.

    They give the player's points, near opponents, and tables whose players have unequal points.
    """
    values = {
        "points": reason.points,
        "names": wording.entry_names(words, tournament, reason.opponents),
        "their": ", ".join(str(one) for one in reason.opponent_points),
        "nearer": reason.nearer,
    }
    lines = [words(f"tournament_why.{reason.code.value}", **values)]
    if reason.opponents:
        lines.append(words("tournament.crossing", count=reason.crossing))
    return lines


async def show_place_in_standings(context: Context, interaction: Interaction, tournament: Tournament) -> None:
    """Show the player's place in the standings, with the entries around it."""
    words = interactions.words_for(interaction)
    places = await context.tournaments.overview.places(tournament.id)
    await interactions.answer_privately(interaction, own_place_text(words, tournament, places, interaction.user.id))


async def sit_out_round(context: Context, interaction: Interaction, tournament: Tournament) -> None:
    """Let the user's entry sit out the next round."""
    done = await context.tournaments.entering.skip_next_round(interactions.caller_of(interaction), tournament.id)
    entrant = done.entry_of(interaction.user.id)
    number = max(entrant.sits_out) if entrant is not None and entrant.sits_out else 0
    words = interactions.words_for(interaction)
    first = entrant is not None and number == min(entrant.sits_out, default=0)
    points = format_of(done).unpaired_points(done.plan.scoring, UnpairedReason.HALF) if first else 0
    await interactions.answer_privately(interaction, words("tournament.you_sit_out", round=number, count=points))


def current_or_last_match(tournament: Tournament, person: int) -> MatchState:
    """Return the person's running match, or else their last one. Refusal: not_entered."""
    found = [one for one in tournament.matches if person in one.seats and not one.voided]
    if not found or tournament.stage not in (Stage.RUNNING, Stage.CLOSING):
        raise TournamentRefusal(TournamentCode.NOT_ENTERED)
    return found[-1]


async def call_director(
    context: Context, interaction: Interaction, tournament_number: int, match: int, message: str
) -> None:
    """Open a case about a match, which calls the directors; the game continues."""
    done = await context.tournaments.entering.call_director(
        interactions.caller_of(interaction), tournament_number, match, text=message
    )
    words = interactions.words_for(interaction)
    await interactions.answer_privately(interaction, words("tournament.case_yours", case=done.cases[-1].number))
