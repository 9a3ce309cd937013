"""Opening the desk with `/tournament desk`, and the desk's buttons under messages to directors."""

from __future__ import annotations

from collections.abc import Sequence

from bot.i18n import Words
from bot.tournaments.desk.ruling_preview import impartial_directors
from bot.tournaments.event.tournament import Audience, News, Stage, Tournament
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import DANGER, PRIMARY, Option, Page, Part, button_row, page, select, text
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.custom_ids import MOST_OPTIONS, ControlId
from cogs.shared.serving.context import Context
from cogs.shared.serving.roles import may_become_director
from cogs.tournament import control_ids, wording
from cogs.tournament.desk.base import Chosen, Desk, parse_number, single_value
from cogs.tournament.desk.cases import CaseControls
from cogs.tournament.desk.desk_view import DeskView, home_page
from cogs.tournament.desk.entries import EntryControls
from cogs.tournament.desk.home import HomeControls
from cogs.tournament.desk.match_controls import MatchControls
from cogs.tournament.desk.search import SearchControls

KEPT = 5
"""The number of finished tournaments that can still be chosen."""

LONGEST_CHOICE = 80


class DeskOpening(Desk):
    """Opens the desk, and registers the handlers of all its controls."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        for controls in (HomeControls, MatchControls, EntryControls, CaseControls, SearchControls):
            controls(context)
        context.router.add("desk_choose", self.open_chosen_desk)

    async def open_desk(self, interaction: Interaction, named: str | None) -> None:
        """Open the desk of the named tournament, or of the only one in this server that the person directs."""
        those = await self._tournaments_to_direct(interaction)
        if named:
            those = [one for one in those if named in (str(one.id), one.plan.name)]
        opened = [one for one in those if one.stage not in (Stage.CLOSED, Stage.CANCELLED)]
        if len(those) == 1 or len(opened) == 1:
            await self._open_desk(interaction, (opened or those)[0].id)
            return
        await interactions.show_page(interaction, which_tournament_page(interactions.words_for(interaction), those))

    async def _tournaments_to_direct(self, interaction: Interaction) -> list[Tournament]:
        """Return the server's tournaments that the person may direct.

        These are the running ones and those that finished last.
        """
        guild, person = interaction.guild_id or 0, interaction.user.id
        opened, closed = (
            await self.tournaments.overview.open_tournaments_in(guild),
            await self.tournaments.overview.closed_tournaments_in(guild),
        )
        own = [one for one in (*opened, *closed[:KEPT]) if person in one.directors]
        others = [one for one in opened if one.stage is not Stage.DRAFT]
        return own or [one for one in others if _may_become_director(interaction, one)]

    async def desk_choices(self, interaction: Interaction, typed: str) -> list[tuple[str, str]]:
        """Return labels and values for the option `tournament:`."""
        those = await self._tournaments_to_direct(interaction)
        labelled = [(wording.plain_text(one.plan.name, longest=LONGEST_CHOICE), str(one.id)) for one in those]
        return [one for one in labelled if typed.casefold() in one[0].casefold()][:MOST_OPTIONS]

    async def open_chosen_desk(self, interaction: Interaction, _control: ControlId, values: Chosen) -> None:
        """Open the desk of the chosen tournament."""
        await self._open_desk(interaction, parse_number(single_value(values)), update=True)

    async def _open_desk(self, interaction: Interaction, tournament: int, *, update: bool = False) -> None:
        current_tournament = await self.tournaments.overview.get_tournament(tournament, guild=interaction.guild_id)
        words, person = interactions.words_for(interaction), interaction.user.id
        if person not in current_tournament.directors and _may_become_director(interaction, current_tournament):
            await interactions.show_page(
                interaction, become_director_page(DeskView(words, current_tournament, person, 0)), update=update
            )
            return
        view = await self.load_view(interaction, tournament)
        await interactions.show_page(
            interaction, home_page(DeskView(words, view.tournament, person, view.now)), update=update
        )


def _may_become_director(interaction: Interaction, tournament: Tournament) -> bool:
    return may_become_director(interaction, is_judged=bool(impartial_directors(tournament)))


def which_tournament_page(words: Words, tournaments: Sequence[Tournament]) -> Page:
    """Return the page on which the person chooses one of the tournaments that they may direct."""
    if not tournaments:
        return page([text(words("desk.none_directed"))])
    options = [Option(str(one.id), one.plan.name) for one in tournaments]
    menu = select(control_ids.control(0, "desk_choose"), words("desk.which_tournament"), options)
    return page([text(words("desk.which_tournament")), *([] if menu is None else [menu])])


def become_director_page(view: DeskView) -> Page:
    """Return the page for a server moderator who is not a director, with a button to become one."""
    row = button_row(view.button("desk_step_in", style=PRIMARY))
    message = view.words("desk.moderator", name=wording.tournament_name(view.tournament))
    return page([text(message), *([] if row is None else [row])])


def director_buttons(words: Words, tournament: Tournament, news: News) -> Part | None:
    """Return the buttons under a piece of news for directors, or None if no action is possible."""
    if news.audience is not Audience.DIRECTORS or news.match is None:
        return None
    view = DeskView(words, tournament, 0, 0)
    if news.code == "table_waits":
        return button_row(
            view.button("desk_substitute", news.match),
            view.wait_button(news.match),
            view.button("desk_forfeit", news.match, style=DANGER),
        )
    if news.code == "case_called":
        case = news.numbers["case"]
        return button_row(view.button("desk_case", case, label=words("desk.case_button", case=case), style=PRIMARY))
    return None
