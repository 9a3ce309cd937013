"""The desk: what the lobby's and the game's part of the table service have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bot.tables.events import AnyEvent
from bot.tables.ledger import Asked, Decide, Ledger, Plan, seed_plan
from bot.tables.limits import Limits, Pace
from bot.tables.looks import Caller, TableLook
from bot.tables.play import after_deal, contribution, deal, ended_deal
from bot.tables.premoves.keeping import Premoves
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
        self._premoves = Premoves(ledger.store)
        self._preparing: list[Callable[[int], None]] = []
        self._shown = Shown(self._workshop, self._premoves)

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
        dealt = deal(table, record, await self._seed(table, number))
        following = seed_plan(table.id, number + 1)
        return Plan((*before, *dealt, *following.events), following.secrets)

    async def _with_score(self, table: Table, events: tuple[AnyEvent, ...]) -> Plan:
        """The events and, where they end a deal, what follows it."""
        ended = ended_deal(events)
        if ended is None:
            return Plan(events)
        next_at = self._ledger.clock.now() + self._limits.between(table.record.settings)
        seed = await self._seed(table, ended.deal)
        following = after_deal(ended, events, seed=seed, next_at=next_at)
        return Plan((*events, *ends.concluded(table.record, events, following)))

    async def _seed(self, table: Table, number: int) -> bytes:
        secret = await self._ledger.store.secret(table.id, number)
        if secret is None:
            raise LookupError(f"table {table.id} has no seed for deal {number}")
        return secret.seed
