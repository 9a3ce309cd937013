"""Run computer players at tables, with at most one task per table.

After each change the driver waits a little, so that people can follow, asks the player for a step, and plays it through
the table service. After a restart it continues waiting turns.
"""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from bot.clocks.clock import MINUTE, Clock
from bot.computer.chosen_step import Choice, Reason
from bot.computer.expert_process import ExpertProcess
from bot.computer.heuristics.rule_of_thumb_player import is_simple
from bot.computer.memories_at_tables import TableMemories
from bot.computer.player import ComputerPlayer
from bot.engine.moves.refusals import Refusal
from bot.engine.table.views import SeatView
from bot.logs import record_failure
from bot.store.errors import FATAL_ERRORS, DatabaseAway
from bot.tables.core.repository import InvariantViolation
from bot.tables.service import TableService
from bot.tables.state.clocks import Level
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import SeatSnapshot, TableChanged

AT_ONCE: Final = 5
BETWEEN: Final = 100
"""After a restart, tables are resumed in groups of `AT_ONCE`, `BETWEEN` milliseconds apart."""

logger = logging.getLogger(__name__)


class ComputerDriver:
    """Plays for all computer players of the process; `pace` is the pause before a step in milliseconds.

    `player_of` returns the player of a level. Choices under rules with more than simple sets are slow, so they are made
    in one thread while the event loop goes on; with `in_thread` all choices are. More threads would only compete for
    the interpreter. With `experts`, expert players think in a process of their own.
    """

    def __init__(
        self,
        service: TableService,
        player_of: Callable[[Level], ComputerPlayer],
        clock: Clock,
        *,
        pace: int,
        in_thread: bool = False,
        experts: ExpertProcess | None = None,
    ) -> None:
        self._service = service
        self._memories = TableMemories(service.reading)
        self._player_of = player_of
        self._clock = clock
        self._pace = pace
        self._in_thread = in_thread
        self._experts = experts
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="computer players")
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._changed: set[int] = set()
        self._unsubscribe: Callable[[], None] | None = None
        self._resuming: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Subscribe to changes, and resume tables that wait for a computer player in the background."""
        if self._unsubscribe is None:
            self._unsubscribe = self._service.subscribe(self._on_change)
        self._resuming = asyncio.create_task(self._wake_waiting_tables(), name="computer players resume")

    async def stop(self) -> None:
        """Stop playing; the table service finishes a step that is being stored."""
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None
        tasks = (*self._tasks.values(), *([self._resuming] if self._resuming is not None else ()))
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._thread.shutdown(wait=False, cancel_futures=True)
        if self._experts is not None:
            self._experts.stop()

    def resume(self) -> None:
        """Wake the tables that wait for a computer player, after the database was away."""
        if self._unsubscribe is not None and (self._resuming is None or self._resuming.done()):
            self._resuming = asyncio.create_task(self._wake_waiting_tables(), name="computer players resume")

    async def _wake_waiting_tables(self) -> None:
        """Wake the tables that wait for a computer player, a few at a time."""
        for number, table in enumerate(await self._waiting_tables(), 1):
            self._wake_table(table)
            if number % AT_ONCE == 0:
                await self._clock.sleep(BETWEEN)

    async def _waiting_tables(self) -> tuple[int, ...]:
        """Return the tables that wait for a computer player, retrying until the store answers."""
        while True:
            try:
                return await self._service.reading.tables_with_due_computer_turn()
            except FATAL_ERRORS as error:
                logger.warning("computer players were not resumed: %s", type(error).__name__)
                return ()
            except Exception as error:  # noqa: BLE001 - any failure is tried again
                record_failure(logger, "resuming computer players", error)
                await self._clock.sleep(MINUTE)

    def _on_change(self, changed: TableChanged) -> None:
        """Check the changed table: listener of the table service."""
        self._wake_table(changed.table)

    def _wake_table(self, table: int) -> None:
        """Let the table's task check for a turn, starting one if needed."""
        if table in self._tasks:
            self._changed.add(table)
            return
        name = f"computer players of table {table}"
        self._tasks[table] = asyncio.create_task(self._play_table(table), name=name)

    async def _play_table(self, table: int) -> None:
        """Play a table's computer players until a person's turn comes.

        New changes are checked for before returning.
        """
        refused_at: int | None = None
        try:
            while True:
                self._changed.discard(table)
                turn = await self._service.reading.computer_turn(table)
                if turn is None or turn.table.version == refused_at:
                    if table not in self._changed:
                        return
                    continue
                if turn.table.settings.pace == "even":
                    await self._clock.sleep(self._pace)
                if not await self._play_step(turn):
                    refused_at = turn.table.version
        except TableRefusal as refusal:
            if refusal.code is not TableCode.UNREADABLE_TABLE:  # that was logged when the table was read
                logger.warning("a computer player stopped: %s", refusal.code.value, extra={"table": table})
        except FATAL_ERRORS as error:
            logger.warning("a computer player stopped: %s", type(error).__name__, extra={"table": table})
        except DatabaseAway as error:  # `resume` goes on once the database is back
            record_failure(logger, "a computer player's turn", error, table=table)
        except Exception as error:  # noqa: BLE001 - must not affect other tables; its text may name cards
            text = f"{type(error).__name__} in {error_location(error)}"
            logger.error("a computer player stopped: %s", text, extra={"table": table})  # noqa: TRY400 - no traceback
        finally:
            # No await since the last check of `_changed`, so that no change is missed.
            del self._tasks[table]

    async def _play_step(self, turn: SeatSnapshot) -> bool:
        """Let the player in turn choose a step and play it; return whether a step was accepted."""
        view = turn.view
        if view is None or not view.legal:
            return False
        first = view.legal[0]
        choice = await self._choose_step(turn, view)
        if turn.table.settings.pace == "varied":
            await self._clock.sleep(round(self._pace * pause_factor(choice)))
        for step in (choice.action, first):
            try:
                await self._service.play.act_for_computer(
                    turn.table.id, turn.seat, step, expected_version=turn.table.version
                )
            except TableRefusal:
                return False  # the table has moved on, or is paused
            except Refusal as refusal:
                self._log_failure(turn, f"was refused ({refusal.code.value})")
            except InvariantViolation:
                return False  # the violation was logged when it was found
            else:
                return True
        return False

    async def _choose_step(self, turn: SeatSnapshot, view: SeatView) -> Choice:
        """Return the player's choice; if the player fails with an error, the first legal step.

        So a broken player does not block its table.
        """
        memory = await self._memories.memory_of(turn.table)
        level = turn.table.seats[turn.seat].level
        choose = self._player_of(level).choose
        try:
            if level == "expert" and self._experts is not None:
                return await self._experts.choose(view, memory)
            if self._in_thread or level == "expert" or not is_simple(view.table.rules):
                return await asyncio.get_running_loop().run_in_executor(self._thread, choose, view, memory)
            return await self._service.reading.run_in_rules_thread(view.table.rules, choose, view, memory)
        except Exception as error:  # noqa: BLE001 - logged below without its text, which may name cards
            self._log_failure(turn, f"failed ({type(error).__name__} in {error_location(error)})")
            return Choice(view.legal[0])

    def _log_failure(self, turn: SeatSnapshot, failure: str) -> None:
        """Log an error of the computer player in turn."""
        extra = {"table": turn.table.id, "event": turn.table.version, "seat": turn.seat}
        logger.error("a computer player %s", failure, extra=extra)


CLOSE: Final = 20
"""A rival at most this many points behind counts as close, and makes the pause longer."""


def pause_factor(choice: Choice) -> float:
    """Return the factor by which the usual pause before this step is multiplied.

    It is below 1 for an only step. Each alternative that is nearly as good makes it larger.
    """
    if choice.reason in (Reason.ONLY, Reason.DRAW_ONLY):
        return 0.5
    return min(2.5, 1.0 + 0.3 * sum(rival.behind <= CLOSE for rival in choice.rivals))


def error_location(error: BaseException) -> str:
    """Return the file and line where an error was raised, without its message."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "?"
