"""The desk: what the lobby's and the game's part of the table service have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from bot.tables.absence.rules import idle_limit
from bot.tables.consent import settle
from bot.tables.consent.settle import LogEntry, Timing, undone
from bot.tables.contest.directing import seated_anew
from bot.tables.core.limits import Limits, RateLimiter
from bot.tables.core.repository import TableRepository
from bot.tables.core.rules_thread import RulesThread
from bot.tables.play.moves import after_deal, deal, deal_fixed_pack, default_shuffle_word, find_deal_end
from bot.tables.snapshots.snapshots import SnapshotCache
from bot.tables.state.events import AnyEvent, Undone
from bot.tables.state.fold import fold
from bot.tables.state.proposals import Proposal, ProposalKind
from bot.tables.state.requests import Decide, Decision, TableRequest, seed_plan
from bot.tables.state.snapshots import Caller, TableSnapshot
from bot.tables.state.table import Table, TableState
from bot.tables.timing import timekeeping

LOOKED_BACK: Final = 100
"""Rows of a log among which a seat's latest move is looked for; no turn has more."""


class TableContext:
    """The ledger, the limits, and the steps that need a seed."""

    def __init__(self, ledger: TableRepository, pace: RateLimiter, limits: Limits) -> None:
        self._ledger = ledger
        self._limits = limits
        self._pace = pace
        self._reading = pace.of_reads()
        self._workshop = RulesThread()
        self._premoves = ledger.premoves
        self._preparing: list[Callable[[int], None]] = []
        self._shown = SnapshotCache(self._workshop, self._premoves)

    def _admit(self, caller: Caller) -> None:
        """Count one thing asked; refusal: too_fast."""
        self._pace.spend(caller.person, self._ledger.clock.now())

    def _admit_reading(self, person: int) -> None:
        """Count one thing looked at; refusal: too_fast."""
        self._reading.spend(person, self._ledger.clock.now())

    async def _ask(self, table: int, asked: TableRequest, decide: Decide) -> TableSnapshot:
        """Change a table; how it looks then."""
        return await self._shown.table((await self._ledger.change(table, asked, decide)).table)

    async def _with_deal(self, table: Table, events: Iterable[AnyEvent], caller: Caller | None) -> Decision:
        """The events and then the next deal; the seed after it is drawn and committed to at the same time.

        So a commitment always stands for a whole deal before it is used, and everybody seated has moved meanwhile.
        """
        before = tuple(events)
        before += tuple(seated_anew(table.record))
        before += default_shuffle_word(fold(table.record, before), caller)
        record = fold(table.record, before)
        number = 1 if record.game is None else record.game.deal + 1
        if number == 1 and record.known is not None:  # the seed of the second deal is committed to since the lobby
            return Decision((*before, *deal_fixed_pack(table, record)))
        dealt = deal(table, record, await self._ledger.seed(table.id, number))
        following = seed_plan(table.id, number + 1)
        return Decision((*before, *dealt, *following.events), following.secrets)

    def _with_score(self, table: Table, events: tuple[AnyEvent, ...]) -> Decision:
        """The events and, where they end a deal, what follows it."""
        if find_deal_end(events) is None:
            return Decision(events)
        next_at = self._ledger.clock.now() + self._limits.between(table.record.settings)
        following = timekeeping.concluded(table.record, events, after_deal(events, next_at=next_at))
        return Decision((*events, *following))

    # --- consent -----------------------------------------------------------------------------------------------------

    async def _settled(self, table: Table, events: Iterable[AnyEvent]) -> Decision:
        """The events and, where everybody whom it concerns has agreed after them, what was proposed."""
        before = tuple(events)
        after = fold(table.record, before)
        proposal = settle.accepted_proposal(after)
        if proposal is None:
            return Decision(before)
        back = await self._way_back(table, proposal) if proposal.kind is ProposalKind.UNDO else None
        return Decision((*before, *settle.apply_proposal(after, proposal, self._instants(after), back=back)))

    def _instants(self, record: TableState) -> Timing:
        now = self._ledger.clock.now()
        return Timing(now, now + self._limits.between(record.settings), idle_limit(record, now))

    async def _way_back(self, table: Table, proposal: Proposal) -> Undone:
        """What was prepared is not done: it was prepared upon what is taken back."""
        for person in await self._premoves.at(table.id):
            await self._premoves.forget(table.id, person)
        return undone(await self._rows(table, limit=proposal.version), proposal.version)

    async def _rows(self, table: Table, *, after: int = 0, limit: int | None = None) -> list[LogEntry]:
        """What happened at a table since that version; refusal: unreadable_table."""
        happened = self._ledger.records.happened
        return [
            LogEntry(row.version, row.seat, row.person, happened(table, row.payload))
            for row in await self._ledger.store.tables.actions(table.id, after=after, limit=limit)
        ]
