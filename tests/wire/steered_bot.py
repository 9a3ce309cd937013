"""The bot with a clock that the test puts forward: `python -m tests.wire.steered_bot 127.0.0.1:PORT [notes-first]`.

The clock begins at noon, because people are not called at night. Each line on standard input is a number of
milliseconds to put it forward by. With `notes-first` the bot notes that a board is shown before it sends the edit,
which is the mistake that tests of faults must find.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from bot import run_command
from bot.__main__ import main
from bot.app import Application, build
from bot.clocks.clock import HOUR
from bot.clocks.time_rules import DAY
from bot.config import Settings
from bot.demo.forward_clock import NO_OUTAGE, ForwardClock
from bot.loopback.bootstrap import point_at
from bot.tables.state.snapshots import BoardMessage, TableSnapshot
from cogs.shared.discord_api.components import Page
from cogs.shared.discord_api.discord_calls import Trouble
from cogs.shared.posting.poster import Poster
from cogs.shared.posting.request_budget import Priority

NOON = 12 * HOUR


@asynccontextmanager
async def steered(settings: Settings, *, is_stopping: Callable[[], bool]) -> AsyncIterator[Application]:
    """Build the program with a clock that moves by the lines of standard input."""
    clock, loop = ForwardClock(), asyncio.get_running_loop()
    clock.forward = (NOON - clock.now()) % DAY

    def read() -> None:
        for line in sys.stdin:
            loop.call_soon_threadsafe(clock.put_forward, int(line))

    threading.Thread(target=read, daemon=True).start()
    async with build(settings, clock=clock, silence=NO_OUTAGE, is_stopping=is_stopping) as application:
        yield application


async def _edit_after_noting(
    self: Poster, look: TableSnapshot, page: Page, shown: BoardMessage, priority: Priority
) -> Trouble | None:
    """Note that the board is shown, then send the edit."""
    await self.record(look, shown, shown.told)
    message = self._channel(shown.channel, look).get_partial_message(shown.message)
    await self.request(
        priority,
        lambda: message.edit(view=page.view, attachments=page.files(), allowed_mentions=page.allowed_mentions),
        "editing a board",
        look,
    )
    return None


if __name__ == "__main__":
    point_at(sys.argv[1])
    vars(run_command)["build"] = steered
    if "notes-first" in sys.argv[2:]:
        Poster._edit = _edit_after_noting  # type: ignore[method-assign]
    sys.exit(main(["run"]))
