"""What every control of the desk needs: who may use it, the page as it stands, and what came of what was asked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from bot.i18n import Words
from bot.tables.state.refusals import TableRefusal
from bot.tables.state.snapshots import Caller
from bot.tournaments.course import Deal
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.steps import find_match, require_director
from bot.tournaments.event.tournament import Tournament
from cogs.shared.door import interactions
from cogs.shared.door.components import Page
from cogs.shared.door.interactions import Interaction
from cogs.shared.reading.problems import InputCode, InputProblem
from cogs.shared.serving.context import Context
from cogs.shared.telling.explain import explain
from cogs.tournament.desk.frame import DeskView
from cogs.tournament.desk.match_page import match_page
from cogs.tournament.links import Link

Chosen: TypeAlias = tuple[str, ...]
Paged: TypeAlias = Callable[[DeskView], Awaitable[Page]]
Doing: TypeAlias = Callable[[Caller], Awaitable[Tournament]]


class Desk:
    """The desk of a director: looks at a tournament, and does what is asked with the fresh page as the answer."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tournaments = context.tournaments

    async def look(self, interaction: Interaction, tournament: int, note: str = "") -> DeskView:
        """The tournament as it stands now, for a director of it. Refusals: unknown_tournament, not_director."""
        found = await self.tournaments.overview.look(tournament, guild=interaction.guild_id)
        require_director(found, interaction.user.id)
        words = interactions.words_for(interaction)
        return DeskView(words, found, interaction.user.id, self.context.clock.now(), note)

    async def show(self, interaction: Interaction, page: Page) -> None:
        """The page in place of the one that was used, or as a private answer."""
        await interactions.show(interaction, page, update=interactions.in_panel(interaction))

    async def act(self, interaction: Interaction, link: Link, doing: Doing, shown: Paged, done: str) -> None:
        """Do something, and show the page as it stands then, with what came of it.

        Where somebody has directed since the page was drawn nothing is done, and the fresh page says so (8, case 40).
        """
        words = interactions.words_for(interaction)
        await self.look(interaction, link.tournament)
        try:
            await doing(interactions.caller_of(interaction))
            note = words(f"desk_done.{done}")
        except TournamentRefusal as refusal:
            stale = refusal.code is TournamentCode.STALE_TOURNAMENT
            found = await self.tournaments.overview.look(link.tournament)
            note = words("desk.stale") if stale else explained(words, found, refusal)
        except TableRefusal as refusal:
            note = explain(words, refusal)
        look = await self.look(interaction, link.tournament, note)
        await self.show(interaction, await shown(look))

    async def match_of(self, look: DeskView, match: int, interaction: Interaction) -> Page:
        """The page of a match with the deals that its viewer may see. Refusal: no_such_match."""
        found = find_match(look.tournament, match)
        return match_page(look, found, await self.deals(look, match, interaction))

    async def deals(self, look: DeskView, match: int, interaction: Interaction) -> tuple[Deal, ...]:
        """The finished deals of a match."""
        return await self.tournaments.desk_views.deals(interactions.caller_of(interaction), look.tournament.id, match)


def explained(words: Words, found: Tournament, refusal: TournamentRefusal) -> str:
    """A refusal in words, an entry that it names by its persons."""
    detail = dict(refusal.detail)
    if "entry" in detail:
        people = next((one.people for one in found.entrants if one.number == detail["entry"]), ())
        named = " & ".join(found.names.get(one, "?") for one in people)
        detail["entry"] = f"{detail['entry']} ({named})" if named else detail["entry"]
    return explain(words, TournamentRefusal(refusal.code, detail))


def only(chosen: Chosen) -> str:
    """The one thing that was chosen or typed. Raises `InputProblem`."""
    if len(chosen) != 1:
        raise InputProblem(InputCode.OLD_CONTROL)
    return chosen[0]


def number(text: str) -> int:
    """A number that a control or a menu carries. Raises `InputProblem`."""
    if not text.isdecimal() or len(text) > 15:
        raise InputProblem(InputCode.OLD_CONTROL)
    return int(text)
