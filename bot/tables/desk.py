"""The desk: what the lobby's and the game's part of the table service have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from bot.tables.absence.absent_seats import idle_limit
from bot.tables.asked import Asked, Decide, Plan, seed_plan
from bot.tables.consent import carrying
from bot.tables.consent.carrying import Instants
from bot.tables.consent.proposal import Kind, Proposal
from bot.tables.consent.taking_back import Row, undone
from bot.tables.contest.opening import seated_anew
from bot.tables.events import AnyEvent, Undone
from bot.tables.ledger import Ledger
from bot.tables.limits import Limits, Pace
from bot.tables.looks import Caller, TableLook
from bot.tables.play import after_deal, contribution, deal, ended_deal, known_deal
from bot.tables.premoves.keeping_premoves import Premoves
from bot.tables.record import Record, Table
from bot.tables.record_folding import fold
from bot.tables.shown import Shown
from bot.tables.timing import ends
from bot.tables.workshop import Workshop

LOOKED_BACK: Final = 100
"""Rows of a log among which a seat's latest move is looked for; no turn has more."""


class Desk:
    """The ledger, the limits, and the steps that need a seed."""

    def __init__(self, ledger: Ledger, pace: Pace, limits: Limits) -> None:
        self._ledger = ledger
        self._limits = limits
        self._pace = pace
        self._reading = pace.of_reads()
        self._workshop = Workshop()
        self._premoves = Premoves(ledger.store.premoves)
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
        before += tuple(seated_anew(table.record))
        before += contribution(fold(table.record, before), caller)
        record = fold(table.record, before)
        number = 1 if record.game is None else record.game.deal + 1
        if number == 1 and record.known is not None:  # the seed of the second deal is committed to since the lobby
            return Plan((*before, *known_deal(table, record)))
        dealt = deal(table, record, await self._ledger.seed(table.id, number))
        following = seed_plan(table.id, number + 1)
        return Plan((*before, *dealt, *following.events), following.secrets)

    def _with_score(self, table: Table, events: tuple[AnyEvent, ...]) -> Plan:
        """The events and, where they end a deal, what follows it."""
        if ended_deal(events) is None:
            return Plan(events)
        next_at = self._ledger.clock.now() + self._limits.between(table.record.settings)
        following = ends.concluded(table.record, events, after_deal(events, next_at=next_at))
        return Plan((*events, *following))

    # --- consent -----------------------------------------------------------------------------------------------------

    async def _settled(self, table: Table, events: Iterable[AnyEvent]) -> Plan:
        """The events and, where everybody whom it concerns has agreed after them, what was proposed."""
        before = tuple(events)
        after = fold(table.record, before)
        proposal = carrying.agreed(after)
        if proposal is None:
            return Plan(before)
        back = await self._way_back(table, proposal) if proposal.kind is Kind.UNDO else None
        return Plan((*before, *carrying.carried_out(after, proposal, self._instants(after), back=back)))

    def _instants(self, record: Record) -> Instants:
        now = self._ledger.clock.now()
        return Instants(now, now + self._limits.between(record.settings), idle_limit(record, now))

    async def _way_back(self, table: Table, proposal: Proposal) -> Undone:
        """What was prepared is not done: it was prepared upon what is taken back."""
        for person in await self._premoves.at(table.id):
            await self._premoves.forget(table.id, person)
        return undone(await self._rows(table, limit=proposal.version), proposal.version)

    async def _rows(self, table: Table, *, after: int = 0, limit: int | None = None) -> list[Row]:
        """What happened at a table since that version; refusal: unreadable_table."""
        happened = self._ledger.records.happened
        return [
            Row(row.version, row.seat, row.person, happened(table, row.payload))
            for row in await self._ledger.store.tables.actions(table.id, after=after, limit=limit)
        ]
