"""A separate process for expert players, so that their search does not slow down the bot."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache

from bot.computer.chosen_step import Choice
from bot.computer.memory_of_a_deal import Memory
from bot.computer.player import ComputerPlayer, player_for
from bot.engine.table.views import SeatView

logger = logging.getLogger(__name__)


class ExpertProcess:
    """One process for the experts of all tables, started on first use and restarted after a crash."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None

    async def choose(self, view: SeatView, memory: Memory) -> Choice:
        """Return the expert's choice; if its search raises an exception, raise it here."""
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(1, mp_context=context, initializer=_init_process)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, _choose_in_process, view, memory)
        except BrokenProcessPool:
            logger.warning("the process of expert players ended; the next question begins another")
            self.stop()
            raise

    def stop(self) -> None:
        """End the process, without waiting for a choice in progress."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


def _init_process() -> None:
    """Initialise the process: ignore Ctrl-C, which the bot handles, and run at a lower priority."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(5)


def _choose_in_process(view: SeatView, memory: Memory) -> Choice:
    """Return the expert's choice; runs in the experts' process."""
    return _expert_of_process().choose(view, memory)


@cache
def _expert_of_process() -> ComputerPlayer:
    """Return the expert player of this process."""
    return player_for("expert")
