"""The bot with a clock that the test puts forward.

Run it with `python -m tests.wire.steered_bot 127.0.0.1:PORT [notes-first]`. The clock begins at noon, because people
are not called at night. Each line on standard input is a number of milliseconds to put it forward by; after one with
`wait` behind it the bot says when it has done what was due. With `notes-first` the bot notes that a board is shown
before it sends the edit, which is the mistake that tests of faults must find.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from bot import run_command
from bot.__main__ import main
from bot.app import Application, build_application
from bot.clocks.clock import HOUR
from bot.clocks.time_rules import DAY
from bot.config import Settings
from bot.demo.forward_clock import NO_OUTAGE, ForwardClock
from bot.loopback.bootstrap import redirect_discord_library
from bot.store.store import Store
from bot.tables.state.snapshots import BoardMessage, TableSnapshot
from cogs.shared.discord_api.components import Page
from cogs.shared.discord_api.discord_calls import CallTrouble
from cogs.shared.posting.poster import Poster
from cogs.shared.posting.request_budget import Priority

NOON = 12 * HOUR

PASSED = "all that was due is done"
"""The line printed in answer to each line with `wait`."""


@asynccontextmanager
async def steered_application(settings: Settings, *, is_stopping: Callable[[], bool]) -> AsyncIterator[Application]:
    """Yield the program, with a clock that lines on standard input put forward."""
    clock, loop = ForwardClock(), asyncio.get_running_loop()
    clock.forward = (NOON - clock.now()) % DAY
    asked = asyncio.Queue[None]()

    def read_commands() -> None:
        for line in sys.stdin:
            milliseconds, _, wait = line.partition(" ")
            loop.call_soon_threadsafe(clock.put_forward, int(milliseconds))
            if wait:
                loop.call_soon_threadsafe(asked.put_nowait, None)

    threading.Thread(target=read_commands, daemon=True).start()
    async with build_application(settings, clock=clock, silence=NO_OUTAGE, is_stopping=is_stopping) as application:
        telling = asyncio.create_task(_tell_when_done(application, clock, asked))
        yield application
        telling.cancel()


async def _tell_when_done(application: Application, clock: ForwardClock, asked: asyncio.Queue[None]) -> None:
    """For each item of `asked`, write a line as soon as nothing is due at a table or a tournament."""
    store = application.tables._context.store
    while True:
        await asked.get()
        while any(due is not None and due <= clock.now() for due in await _next_deadlines(store)):
            await asyncio.sleep(0.02)
        sys.stdout.write(f"{PASSED}\n")
        sys.stdout.flush()


async def _next_deadlines(store: Store) -> tuple[int | None, int | None]:
    return await store.times.next_due_at(), await store.tournaments.next_due_at()


async def _edit_after_noting(
    self: Poster, snapshot: TableSnapshot, page: Page, board_message: BoardMessage, priority: Priority
) -> CallTrouble | None:
    """Note that the board is shown, only then edit it (a mistake on purpose); return any trouble."""
    await self.record_board(snapshot, board_message, board_message.told)
    message = self._messageable_channel(board_message.channel, snapshot).get_partial_message(board_message.message)
    await self.request(
        priority,
        lambda: message.edit(view=page.view, attachments=page.files(), allowed_mentions=page.allowed_mentions),
        "editing a board",
        snapshot,
    )
    return None


if __name__ == "__main__":
    redirect_discord_library(sys.argv[1])
    vars(run_command)["build_application"] = steered_application
    if "notes-first" in sys.argv[2:]:
        Poster._edit_board = _edit_after_noting  # type: ignore[method-assign]
    sys.exit(main(["run"]))
