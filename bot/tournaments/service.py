"""The tournament service: everything that can be asked of a tournament, from its draft to its close.

Whatever a person asks comes with a `Caller`. A method either does what it says, completely and stored, or raises
`TournamentRefusal` and nothing has changed. Every method may refuse with unknown_tournament and too many changes at
once (stale_tournament). Who may create a tournament at all, the Discord side knows.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.clocks.clock import Clock
from bot.store.store import Store
from bot.store.tournaments import TournamentPost
from bot.tables.service import TableService
from bot.tables.state.snapshots import Caller
from bot.tournaments.alarms import ClockService
from bot.tournaments.core.changes import TournamentRequest
from bot.tournaments.desk.service import DeskService
from bot.tournaments.desk.views import DeskLooks
from bot.tournaments.entering import EnteringService
from bot.tournaments.event.entries import Person
from bot.tournaments.event.plan import Plan
from bot.tournaments.event.refusals import TournamentRefusal
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.export.service import ExportService
from bot.tournaments.formats.ranking import Place, Ranking, ranking
from bot.tournaments.rounds import Away, Ratings

__all__ = ["OPEN", "TournamentPost", "TournamentService"]

OPEN = (Stage.DRAFT, Stage.OPEN, Stage.CHECK_IN, Stage.RUNNING, Stage.CLOSING)
"""The stages of a tournament that is not over."""


class TournamentService(EnteringService, DeskService, DeskLooks, ClockService, ExportService):
    """One for the whole process; the only way to change a tournament.

    Each base has one subject, which its docstring names; here are the drafts, and what looks at tournaments.
    """

    def __init__(
        self, store: Store, clock: Clock, tables: TableService, *, away: Away, ratings: Ratings | None = None
    ) -> None:
        super().__init__(store, clock, tables, away=away, ratings=ratings)

    async def create(self, caller: Caller, *, channel: int, plan: Plan) -> Tournament:
        """Begin a draft, which only its director sees."""
        now = self._book.clock.now()
        draft = Tournament(
            plan=plan,
            directors=(Person(caller.person),),
            created_at=now,
            since=now,
            guild=caller.guild or 0,
            channel=channel,
        )
        return await self._book.create(draft, TournamentRequest("create", caller))

    # --- looking -----------------------------------------------------------------------------------------------------

    async def look(self, tournament: int, *, guild: int | None = None) -> Tournament:
        """The tournament as it stands; one of another server is unknown."""
        found = await self._book.tournament(tournament)
        return self._of_guild(found, guild)

    async def ranking(self, tournament: int, *, after_round: int | None = None) -> Ranking:
        """Who stands where now, or stood after a round."""
        found = await self._book.tournament(tournament)
        return ranking(found, await self._lot(found), after_round=after_round)

    async def open_in(self, guild: int) -> tuple[Tournament, ...]:
        """The tournaments of a server that are not over, oldest first."""
        numbers = await self._book.store.tournaments.in_guild(guild, [stage.value for stage in OPEN])
        return await self._readable(numbers)

    async def open_of(self, person: int) -> tuple[Tournament, ...]:
        """The tournaments that are not over and know the person, oldest first."""
        numbers = await self._book.store.tournaments.of_person(person, [stage.value for stage in OPEN])
        return await self._readable(numbers)

    async def closed_in(self, guild: int) -> tuple[Tournament, ...]:
        """The tournaments of a server that were played to the end, the latest first."""
        numbers = await self._book.store.tournaments.in_guild(guild, [Stage.CLOSED.value])
        return await self._readable(reversed(numbers))

    async def to_show(self) -> tuple[int, ...]:
        """The tournaments that are not over, of all servers, whatever of them is shown; after a start."""
        return await self._book.store.tournaments.with_stage([stage.value for stage in OPEN])

    async def places(self, tournament: int, *, after_round: int | None = None) -> tuple[Place, ...]:
        """Where everybody stands, best first; None counts the results of the round that is played too."""
        found = await self._book.tournament(tournament)
        return ranking(found, await self._lot(found), after_round=after_round).places if found.rounds else ()

    # --- who is gone -------------------------------------------------------------------------------------------------

    async def gone_from_all(self, person: int) -> None:
        """Somebody is to be forgotten: the person's entries leave."""
        for one in await self.open_of(person):
            await self.gone(one.id, person)

    async def forget_person(self, person: int) -> None:
        """Load persons' names again: somebody was forgotten."""
        del person
        await self._book.evict_all()
        self._over.clear()

    # --- messages that show it ---------------------------------------------------------------------------------------

    async def posts(self, tournament: int) -> dict[str, TournamentPost]:
        """The messages that show the tournament, by their names."""
        return {one.name: one for one in await self._book.store.tournaments.posts(tournament)}

    async def note_post(self, tournament: int, post: TournamentPost) -> None:
        """Note a message, in place of the one of that name."""
        await self._book.store.tournaments.set_post(tournament, post)

    async def _readable(self, numbers: Iterable[int]) -> tuple[Tournament, ...]:
        """The tournaments that can be read, of those numbers: one that cannot hides no other."""
        found = []
        for number in numbers:
            try:
                found.append(await self._book.tournament(number))
            except TournamentRefusal:
                continue
        return tuple(found)
