"""Hints: what an expert player would do in a person's place, knowing what the person may know."""

from __future__ import annotations

import asyncio
import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from bot.computer.chosen_step import Choice
from bot.computer.memories_at_tables import TableMemories
from bot.computer.player import ComputerPlayer, player_for
from bot.engine.moves.events import Event
from bot.engine.table.views import SeatView
from bot.logs import record_failure
from bot.tables.advice.turn_plans import PlannedStep
from bot.tables.service import TableService
from bot.tables.state.snapshots import Caller, SeatSnapshot

LIMIT: Final = 2.0
"""Seconds for a hint; afterwards there is none this time."""

logger = logging.getLogger(__name__)

Plan = tuple[PlannedStep[Choice], ...]


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint for a person's turn: the seat's view, and the expert's plan for the turn.

    The plan is empty if none was found in time.
    """

    snapshot: SeatSnapshot
    plan: Plan = field(repr=False)


class HintPlanner:
    """Plans turns for people by an expert player, in a thread of its own."""

    def __init__(self, tables: TableService, *, player: ComputerPlayer | None = None, limit: float = LIMIT) -> None:
        self._tables = tables
        self._memories = TableMemories(tables.reading)
        self._player = player or player_for("expert")
        self._limit = limit
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="hints")

    def stop(self) -> None:
        """End the thread, without waiting for a plan in progress."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def plan_hint(self, caller: Caller, table: int) -> Hint:
        """Return a plan for the caller's turn and count the hint.

        A plan that was not found in time is not counted. Refusals: as `ReadingService.turn_without_hidden_cards`.
        """
        snapshot, turn = await self._tables.reading.turn_without_hidden_cards(
            table, person=caller.person, guild=caller.guild
        )
        memory = await self._memories.memory_of(snapshot.table)

        def choose_step(view: SeatView, events: tuple[Event, ...]) -> Choice:
            return self._player.choose(view, memory.with_events(events))

        over = threading.Event()
        work = partial(turn.plan, choose_step, is_over=over.is_set)
        try:
            planning = asyncio.get_running_loop().run_in_executor(self._thread, work)
            plan = await asyncio.wait_for(planning, self._limit)
        except TimeoutError:
            over.set()
            return Hint(snapshot, ())
        except Exception as error:  # noqa: BLE001 - the game goes on without a hint; the text may name cards
            record_failure(logger, "planning a hint", error)
            return Hint(snapshot, ())
        return Hint(await self._tables.play.count_hint(caller, table), plan) if plan else Hint(snapshot, ())
