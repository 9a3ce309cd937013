"""Reviews of finished deals: the steps for which an expert player had a much better one.

The expert has the same knowledge as the person had.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final

from bot.computer.chosen_step import Choice, RejectedStep
from bot.computer.memory_of_a_deal import Memory, begin_memory
from bot.computer.player import ComputerPlayer
from bot.computer.rollout.search import ExpertPlayer
from bot.engine.table.views import SeatView
from bot.logs import record_failure
from bot.tables.past.choices_of_a_seat import OwnChoice, OwnDeal
from bot.tables.service import TableService
from bot.tables.state.snapshots import TableSnapshot

LIMIT: Final = 2.0
"""Seconds for a review; afterwards it ends with what it has found."""

ROLLOUTS: Final = 100
"""Rollouts for one choice; fewer than at the table, because a deal has many choices."""

CONFIRMING: Final = 400
"""Rollouts to judge a step again that seems to be bad, because most findings of 100 in an expert's deal are noise."""

WORTH_SHOWING: Final = 30
MOST_SHOWN: Final = 3
"""The least points of a finding that is shown, and the most findings shown."""

MOST_KEPT: Final = 64
"""Number of cached reviews; others are made again when a page is turned."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Finding:
    """A step that was worse than the expert's choice, with the seat's view before it and the reasons."""

    turn: int
    view: SeatView = field(repr=False)
    taken: RejectedStep
    better: Choice


@dataclass(frozen=True, slots=True)
class DealReview:
    """The findings in a deal as one seat saw it, in the order of play; nothing of them is stored."""

    snapshot: TableSnapshot
    deal: int
    seat: int
    findings: tuple[Finding, ...] = field(repr=False)


class DealReviewer:
    """Reviews deals for people in a thread, and keeps the latest in memory."""

    def __init__(self, tables: TableService, *, player: ComputerPlayer | None = None, limit: float = LIMIT) -> None:
        self._tables = tables
        self._player = player or ExpertPlayer(ROLLOUTS)
        self._second = player or ExpertPlayer(CONFIRMING)
        self._limit = limit
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="reviews")
        self._kept: OrderedDict[tuple[int, int, int], DealReview] = OrderedDict()

    def stop(self) -> None:
        """End the thread, without waiting for a review in progress."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def review_deal(self, table: int, deal: int, *, person: int, guild: int | None) -> DealReview:
        """Return the review of the person's play in that deal. Refusals: as `PastService.own_deal`."""
        snapshot, own = await self._tables.past.own_deal(table, deal, person=person, guild=guild)
        key = table, deal, own.seat
        if key not in self._kept:
            self._kept[key] = DealReview(snapshot, deal, own.seat, await self._findings_within_time_limit(own))
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]

    async def _findings_within_time_limit(self, own_deal: OwnDeal) -> tuple[Finding, ...]:
        """Return the findings of a deal; the search runs outside the event loop, within the time limit."""
        over = threading.Event()
        work = asyncio.get_running_loop().run_in_executor(
            self._thread, lambda: findings_in_deal(self._player, own_deal, second=self._second, is_over=over.is_set)
        )
        await asyncio.wait([work], timeout=self._limit)
        over.set()
        try:
            return await work
        except Exception as error:  # noqa: BLE001 - a review never disturbs the game; the text may name cards
            record_failure(logger, "reviewing a deal", error)
            return ()


def findings_in_deal(
    player: ComputerPlayer,
    own_deal: OwnDeal,
    *,
    second: ComputerPlayer | None = None,
    is_over: Callable[[], bool] = lambda: False,
) -> tuple[Finding, ...]:
    """Return the largest findings of a deal, at most one a turn, in the order of play.

    The search stops once `is_over` returns true. A step that `player` finds bad is judged once more by `second`, whose
    judgement then counts.
    """
    worst: dict[int, Finding] = {}
    for found in _all_findings(player, second, own_deal, is_over):
        known = worst.get(found.turn)
        if found.taken.behind >= WORTH_SHOWING and (known is None or found.taken.behind > known.taken.behind):
            worst[found.turn] = found
    largest = sorted(worst.values(), key=lambda found: -found.taken.behind)[:MOST_SHOWN]
    return tuple(sorted(largest, key=lambda found: found.turn))


def _all_findings(
    player: ComputerPlayer, second: ComputerPlayer | None, own_deal: OwnDeal, is_over: Callable[[], bool]
) -> Iterator[Finding]:
    """Yield the person's steps that the expert considered but did not choose, as findings."""
    memory, seen = begin_memory(len(own_deal.deal.dealt.hands), own_deal.pile), 0
    for own_choice in own_deal.choices():
        if is_over():
            return
        memory, seen = memory.with_events(own_choice.happened[seen:]), len(own_choice.happened)
        found = _judge_step(player, own_choice, memory)
        if found is not None and second is not None and found.taken.behind >= WORTH_SHOWING:
            found = _judge_step(second, own_choice, memory)
        if found is not None:
            yield found


def _judge_step(player: ComputerPlayer, own_choice: OwnChoice, memory: Memory) -> Finding | None:
    """Return the person's step as a finding if this player judges it worse than its own choice.

    None if the player would choose the same step, or did not weigh it.
    """
    choice = player.choose(own_choice.view, memory)
    taken = next((rival for rival in choice.rivals if rival.step == own_choice.step), None)
    if taken is None or choice.step == own_choice.step:
        return None
    return Finding(own_choice.turn, own_choice.view, taken, choice)
