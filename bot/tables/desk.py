"""The desk: what the lobby's and the game's part of the table service have in common."""

from __future__ import annotations

from collections.abc import Iterable

from bot.tables.events import AnyEvent, SeedRevealed
from bot.tables.ledger import Asked, Decide, Ledger, Plan, seed_plan
from bot.tables.limits import Limits, Pace
from bot.tables.looks import Caller, TableLook
from bot.tables.play import after_deal, contribution, deal, ended_deal, held_seeds, known_deal
from bot.tables.record import Table, fold
from bot.tables.shown import Shown
from bot.tables.timing import ends
from bot.tables.workshop import Workshop


class Desk:
    """The ledger, the limits, and the steps that need a seed."""

    def __init__(self, ledger: Ledger, pace: Pace, limits: Limits) -> None:
        self._ledger = ledger
        self._limits = limits
        self._pace = pace
        self._reading = pace.of_reads()
        self._workshop = Workshop()
        self._shown = Shown(self._workshop)

    def _admit(self, caller: Caller) -> None:
        """Count one thing asked; refusal: too_fast."""
        self._pace.spend(caller.person, self._ledger.clock.now())

    def _admit_reading(self, person: int) -> None:
        """Count one thing looked at; refusal: too_fast."""
        self._reading.spend(person, self._ledger.clock.now())

    async def _ask(self, table: int, asked: Asked, decide: Decide) -> TableLook:
        """Change a table; how it looks then."""
        return await self._shown.table((await self._ledger.change(table, asked, decide)).table)

    async def _with_deal(self, table: Table, events: Iterable[AnyEvent], caller: Caller | None) -> Plan:
        """The events and then the next deal; the seed after it is drawn and committed to at the same time.

        So a commitment always stands for a whole deal before it is used, and everybody seated has moved meanwhile.
        """
        before = tuple(events)
        before += contribution(fold(table.record, before), caller)
        record = fold(table.record, before)
        number = 1 if record.game is None else record.game.deal + 1
        if number == 1 and record.known is not None:  # the seed of the second deal is committed to since the lobby
            return Plan((*before, *known_deal(table, record)))
        dealt = deal(table, record, await self._seed(table, number))
        following = seed_plan(table.id, number + 1)
        return Plan((*before, *dealt, *following.events), following.secrets)

    async def _with_score(self, table: Table, events: tuple[AnyEvent, ...]) -> Plan:
        """The events and, where they end a deal, what follows it."""
        if ended_deal(events) is None:
            return Plan(events)
        next_at = self._ledger.clock.now() + self._limits.between(table.record.settings)
        following = ends.concluded(table.record, events, after_deal(events, next_at=next_at))
        return Plan((*events, *await self._revealed(table, (*events, *following)), *following))

    async def _revealed(self, table: Table, events: Iterable[AnyEvent]) -> tuple[SeedRevealed, ...]:
        """The seeds that may be published once these events have happened, and are not yet."""
        owed = held_seeds(fold(table.record, events))
        return tuple([SeedRevealed(deal, (await self._seed(table, deal)).hex()) for deal in owed])

    async def _seed(self, table: Table, number: int) -> bytes:
        secret = await self._ledger.store.secret(table.id, number)
        if secret is None:
            raise LookupError(f"table {table.id} has no seed for deal {number}")
        return secret.seed
