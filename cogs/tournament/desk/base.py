"""Base class of the desk's controls: checks the director, performs the action, shows the updated page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from bot.i18n import Words
from bot.tables.state.refusals import TableRefusal
from bot.tables.state.snapshots import Caller
from bot.tournaments.counted_results import Deal
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.tournament import Tournament
from bot.tournaments.event.tournament_changes import find_match, require_director
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import Page
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.serving.context import Context
from cogs.shared.telling.explanations import explain_problem
from cogs.tournament.control_ids import Link
from cogs.tournament.desk.desk_view import DeskView
from cogs.tournament.desk.match_page import match_page

Chosen: TypeAlias = tuple[str, ...]
PageBuilder: TypeAlias = Callable[[DeskView], Awaitable[Page]]
DeskAction: TypeAlias = Callable[[Caller], Awaitable[Tournament]]


class Desk:
    """Base class of the desk's controls, with the steps that all of them share."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tournaments = context.tournaments

    async def load_view(self, interaction: Interaction, tournament: int, note: str = "") -> DeskView:
        """Return the current tournament as a director sees it.

        Refusals: unknown_tournament, not_director.
        """
        current_tournament = await self.tournaments.overview.get_tournament(tournament, guild=interaction.guild_id)
        require_director(current_tournament, interaction.user.id)
        words = interactions.words_for(interaction)
        unreached = await self.tournaments.overview.people_not_reached(current_tournament)
        return DeskView(words, current_tournament, interaction.user.id, self.context.clock.now(), note, unreached)

    async def show_page(self, interaction: Interaction, page: Page) -> None:
        """Show the desk's page in place of the clicked one, or as a private answer."""
        await interactions.show_page(interaction, page, update=interactions.is_in_private_message(interaction))

    async def act_and_show(
        self, interaction: Interaction, link: Link, action: DeskAction, build_page: PageBuilder, done: str
    ) -> None:
        """Perform a director's action, then show the page that `build_page` returns, with a note on the result.

        If another director acted since the page was shown, nothing is done and the updated page says so (8, case 40).
        """
        words = interactions.words_for(interaction)
        await self.load_view(interaction, link.tournament)
        try:
            await action(interactions.caller_of(interaction))
            note = words(f"desk_done.{done}")
        except TournamentRefusal as refusal:
            stale = refusal.code is TournamentCode.STALE_TOURNAMENT
            tournament = await self.tournaments.overview.get_tournament(link.tournament)
            note = words("desk.stale") if stale else explain_refusal(words, tournament, refusal)
        except TableRefusal as refusal:
            note = explain_problem(words, refusal)
        view = await self.load_view(interaction, link.tournament, note)
        await self.show_page(interaction, await build_page(view))

    async def build_match_page(self, view: DeskView, match: int, interaction: Interaction) -> Page:
        """Return the page of a match with the deals that the director may see. Refusal: no_such_match."""
        match_state = find_match(view.tournament, match)
        return match_page(view, match_state, await self.finished_deals(view, match, interaction))

    async def finished_deals(self, view: DeskView, match: int, interaction: Interaction) -> tuple[Deal, ...]:
        """Return the finished deals of a match."""
        return await self.tournaments.desk_views.finished_deals(
            interactions.caller_of(interaction), view.tournament.id, match
        )


def explain_refusal(words: Words, tournament: Tournament, refusal: TournamentRefusal) -> str:
    """Return the sentence that explains a refusal; an entry in it has its players' names."""
    detail = dict(refusal.detail)
    if "entry" in detail:
        people = next((one.people for one in tournament.entrants if one.number == detail["entry"]), ())
        named = " & ".join(tournament.names.get(one, "?") for one in people)
        detail["entry"] = f"{detail['entry']} ({named})" if named else detail["entry"]
    return explain_problem(words, TournamentRefusal(refusal.code, detail))


def single_value(values: Chosen) -> str:
    """Return the only value that was chosen or typed. Raises `InputProblem` if it is not the only one."""
    if len(values) != 1:
        raise InputProblem(InputCode.OLD_CONTROL)
    return values[0]


def parse_number(text: str) -> int:
    """Return the number in a control's argument or a menu's value. Raises `InputProblem`."""
    if not text.isdecimal() or len(text) > 15:
        raise InputProblem(InputCode.OLD_CONTROL)
    return int(text)
