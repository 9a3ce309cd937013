"""Building and caching snapshots: the only way in which data leaves a table.

Views of the game are cached per table and seat until the game changes. Location, names and instants may change without
the game.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, TypeAlias, TypeVar, cast

from bot.engine.play.building_views import public_view, seat_view
from bot.engine.table.state import State
from bot.engine.table.views import PublicView, SeatView
from bot.tables.advice import NOTHING, Offers, offers_to_seat
from bot.tables.core.cache import PremoveCache
from bot.tables.core.rules_thread import RulesThread, is_quick
from bot.tables.seating.seats import require_seat
from bot.tables.snapshots.premove_checks import find_premove_end, is_outcome_shown
from bot.tables.state.clocks import Clocks
from bot.tables.state.events import Deadline
from bot.tables.state.premoves import Premove
from bot.tables.state.snapshots import SeatSnapshot, TableSnapshot
from bot.tables.state.table import Table, TableState


def table_snapshot(table: Table, view: PublicView | None = None) -> TableSnapshot:
    """Return the public snapshot; `view` is the public view of the game, if already known."""
    record = table.record
    if view is None and record.game is not None:
        view = public_view(record.game)
    return TableSnapshot(
        id=table.id,
        version=table.version,
        status=record.status,
        guild=table.guild,
        channel=table.channel,
        thread=table.thread,
        rules=record.rules.name,
        players=record.rules.players,
        target=record.rules.target,
        host=record.host,
        seats=record.seats,
        view=view,
        recent=record.recent,
        shuffle=record.shuffles,
        created_at=record.created_at,
        updated_at=table.updated_at,
        expires_at=record.deadlines.get(Deadline.PLACE, record.deadlines.get(Deadline.EXPIRE)),
        next_deal_at=record.alarms.get(Deadline.NEXT_DEAL),
        closed_because=record.closed_because,
        rematch=record.rematch,
        terms=record.rules,
        base=record.base or record.rules,
        joined_terms=record.joined_rules or record.rules,
        saved_as=record.saved_as,
        sat=record.sat,
        left=record.left,
        proposal=record.proposal,
        proposal_until=record.deadlines.get(Deadline.PROPOSAL),
        settings=record.settings,
        clocks=_clocks_to_show(record),
        pause=record.pause,
        conclusion=record.conclusion,
        cards_of=None if record.known is None else record.known.of,
        absence=record.absence,
        vote_until=record.deadlines.get(Deadline.VOTE),
        sought=record.sought,
        sought_until=record.deadlines.get(Deadline.SUBSTITUTE),
        last_deal=record.last_deal,
        wishes=record.wishes,
        roll=record.roll,
        missed=record.missed,
        waiting=record.waiting,
        place_lost=record.place_lost,
        stood=record.stood,
        choice_at=record.deadlines.get(Deadline.CHOICE),
        hints=record.hints,
        contest=record.contest,
        waits_since=table.waits_since,
    )


def _clocks_to_show(record: TableState) -> Clocks | None:
    """Return the clocks to show, none of which runs while the table is halted."""
    if record.clocks is None or not record.is_halted:
        return record.clocks
    return replace(record.clocks, owes=None, until=None, decided_at=None)


def seat_snapshot(
    table: Table,
    seat: int,
    *,
    snapshot: TableSnapshot | None = None,
    own_view: SeatView | None = None,
    offers: Offers = NOTHING,
    premove: Premove | None = None,
) -> SeatSnapshot:
    """Build the snapshot for the person in that seat.

    `snapshot` is the table's and `own_view` the seat's view of the game, if already known. `offers` and `premove` are
    that person's.
    """
    game, drawn = table.record.game, table.record.drawn
    if own_view is None and game is not None:
        own_view = seat_view(game, seat)
    return SeatSnapshot(
        snapshot or table_snapshot(table), seat, own_view, drawn[seat] if drawn else (), offers, premove
    )


KEPT: Final = 256
"""Number of views and offers that are cached."""

View = TypeVar("View", PublicView, SeatView, Offers)

_Key: TypeAlias = tuple[int, int | None, str]
"""A table, a seat (None for the public view), and which part of it is cached."""


@dataclass(frozen=True, slots=True)
class _CachedView:
    """The view of a game's state, or the future of a view that is being built."""

    game: State
    view: asyncio.Future[Any]


class SnapshotCache:
    """Builds snapshots, and caches the current view of each table and seat for them."""

    def __init__(self, rules_thread: RulesThread, premoves: PremoveCache) -> None:
        self._rules_thread = rules_thread
        self._premoves = premoves
        self._views: OrderedDict[_Key, _CachedView] = OrderedDict()
        self._looks: OrderedDict[int, tuple[Table, TableSnapshot]] = OrderedDict()

    async def table_snapshot(self, table: Table) -> TableSnapshot:
        """Return the table's public snapshot."""
        public = await self._public_view(table)
        of, snapshot = self._looks.get(table.id, (None, None))
        if snapshot is None or of is not table:
            snapshot = table_snapshot(table, public)
            self._looks[table.id] = table, snapshot
            if len(self._looks) > KEPT:
                self._looks.popitem(last=False)
        self._looks.move_to_end(table.id)
        return snapshot

    async def seat_snapshot(self, table: Table, seat: int) -> SeatSnapshot:
        """Return the table's snapshot for the holder of that seat, without offered moves."""
        return seat_snapshot(
            table, seat, snapshot=await self.table_snapshot(table), own_view=await self.seat_view(table, seat)
        )

    async def person_snapshot(self, table: Table, person: int) -> SeatSnapshot:
        """Return the table's snapshot for the person's own seat, with the moves offered to it.

        Refusal: not_seated.
        """
        seat = require_seat(table, person)
        own, game = await self.seat_view(table, seat), table.record.game
        offers = NOTHING
        if game is not None and own is not None and own.must_act:
            offers = await self._cached_view((table.id, seat, "offers"), game, _offers_for_view, game, own)
        snapshot, premove = await self.table_snapshot(table), await self._premove(table, person)
        return seat_snapshot(table, seat, snapshot=snapshot, own_view=own, offers=offers, premove=premove)

    async def seat_view(self, table: Table, seat: int) -> SeatView | None:
        """Return the seat's view of the game; None before the first deal."""
        game = table.record.game
        return None if game is None else await self._cached_view((table.id, seat, "view"), game, seat_view, game, seat)

    async def _premove(self, table: Table, person: int) -> Premove | None:
        """Return the person's premove, with the reason if it has ended by now.

        None if there is none, or it need not be shown any more.
        """
        found = None if table.record.game is None else await self._premoves.premove_of(table.id, person)
        if found is None:
            return None
        found = replace(found, ended=find_premove_end(table.record, person, found))
        return found if is_outcome_shown(table.record, found) else None

    async def _public_view(self, table: Table) -> PublicView | None:
        """Return the public view of the game; None before the first deal."""
        game = table.record.game
        return None if game is None else await self._cached_view((table.id, None, "view"), game, public_view, game)

    async def _cached_view(self, key: _Key, game: State, work: Callable[..., View], *arguments: Any) -> View:
        """Return the cached view of this game, or build it; concurrent callers share one build."""
        kept = self._views.get(key)
        if kept is None or kept.game is not game:
            kept = self._views[key] = _CachedView(game, self._view_future(key, game, partial(work, *arguments)))
            if len(self._views) > KEPT:
                self._views.popitem(last=False)
        self._views.move_to_end(key)
        return cast(View, await asyncio.shield(kept.view))

    def _view_future(self, key: _Key, game: State, work: Callable[[], View]) -> asyncio.Future[View]:
        """Return the future of a view; build it at once if the rules are quick."""
        made: asyncio.Future[View]
        if is_quick(game.rules):  # without a task, so that no other coroutine runs meanwhile
            made = asyncio.get_running_loop().create_future()
            made.set_result(work())
        else:
            made = asyncio.ensure_future(self._rules_thread.run(game.rules, work))
            made.add_done_callback(lambda done: self._forget_failed_view(key, done))
        return made

    def _forget_failed_view(self, key: _Key, done: asyncio.Future[Any]) -> None:
        """Remove a view from the cache if building it failed."""
        failed = done.cancelled() or done.exception() is not None
        kept = self._views.get(key)
        if failed and kept is not None and kept.view is done:
            del self._views[key]


def _offers_for_view(game: State, view: SeatView) -> Offers:
    """Return the moves offered to the seat whose view this is."""
    return offers_to_seat(game, view.seat, legal_steps=view.legal)
