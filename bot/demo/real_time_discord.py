"""Classes that let SimCord, the simulated Discord, run in real time.

SimCord is made for tests: its clock moves when a test moves it, and a click returns when all work is done. In the demo
a person clicks, and computer players take their time. So the demo's clock is the real one, possibly set forward; timers
fire on time, a click returns when the bot has answered, and pages are published again after every change.

This uses private parts of SimCord, which is why the demo pins its version; `tests/demo` checks those parts.
"""

from __future__ import annotations

import asyncio
import contextvars
import time
from datetime import UTC, datetime
from typing import Any, Final

from simcord import Env, Preview
from simcord._clock import Clock
from simcord._dpy_internals import real_monotonic
from simcord.backend import Backend
from simcord.backend.models import Interaction

from bot.clocks.clock import SECOND
from bot.clocks.time_rules import DAY
from bot.demo.forward_clock import ForwardClock
from bot.demo.page import PageServer

WORLD_CREATED_AT: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""The instant at which the world is made, the same at every start."""

ANSWER_SECONDS: Final = 3.0
"""How long Discord waits for a bot's first answer."""

_POLL_SECONDS: Final = 0.01
_PUBLISH_SECONDS: Final = 0.1


class LiveClock(Clock):
    """SimCord's clock, which shows the bot's time after `go_live`.

    Before that, while the world is made, it shows `WORLD_CREATED_AT`.
    """

    def __init__(self, told: ForwardClock) -> None:
        self.told = told
        self._founded_at = time.perf_counter()
        self._live = False

    def go_live(self) -> None:
        self._live = True

    @property
    def elapsed(self) -> float:  # type: ignore[override]  # an attribute there, and never set from outside
        return time.perf_counter() - self._founded_at

    def now(self) -> datetime:
        return datetime.fromtimestamp(self.told.now() / SECOND, UTC) if self._live else WORLD_CREATED_AT

    def advance(self, seconds: float) -> None:
        """Do nothing: real time advances by itself."""


class LiveEnvironment(Env):
    """A SimCord environment whose timers fire in real time and whose actions end with the bot's answer."""

    def __init__(self, client: Any, clock: ForwardClock | None = None) -> None:
        super().__init__(client, shard_count=1)
        self.clock = LiveClock(clock or ForwardClock())
        self.backend = Backend(clock=self.clock)
        self._asked: Interaction | None = None
        self._register_dispatch_observer(self._note_interaction)

    def _note_interaction(self, interaction: Interaction) -> None:
        self._asked = interaction

    async def _settle_internal(self, **_options: Any) -> None:
        """Wait until the bot has answered the last interaction, at most as long as Discord would."""
        self._work.callbacks = [one for one in self._work.callbacks if one.handle and not one.handle.cancelled()]
        asked, self._asked = self._asked, None
        limit = time.perf_counter() + ANSWER_SECONDS
        await asyncio.sleep(0)
        while asked is not None and not asked.responded and time.perf_counter() < limit:
            await asyncio.sleep(_POLL_SECONDS)

    def _schedule_timer(self, record: Any, *_: Any) -> None:
        """Let a timer of the bot fire in real time."""

        def fire_timer() -> None:
            if record.handle is not None and not record.handle.cancelled():
                record.handle._run()

        delay = max(record.when - self._virtual_time, 0.0)
        runtime: Any = self._runtime
        # An empty context, because the timer itself enters the context in which it was made.
        record.real_handle = runtime.call_at(real_monotonic() + delay, fire_timer, context=contextvars.Context())


class LivePreview(Preview):
    """A SimCord preview (web page) that shows changes as they happen, and accepts clicks meanwhile."""

    def __init__(self, environment: LiveEnvironment, channel: Any, viewers: tuple[Any, ...], *, port: int) -> None:
        super().__init__(
            environment,
            channel,
            viewers,
            layout="channel",
            display="responsive",
            width=960,
            height=720,
            locale="en-US",
            timezone="UTC",
            presentation_time=None,
            assets=None,
            port=port,
        )
        self._server = PageServer(self, port)
        self._clock = environment.clock.told
        self._turn = asyncio.Lock()

    async def _action(self, context_id: str | None, body: Any) -> dict[str, Any]:
        """Carry out an action of the page, even one on an outdated page; the bot decides if it counts."""
        async with self._turn:
            if isinstance(body, dict) and body.get("kind") == "let_time_pass":
                return await self._let_time_pass(body.get("milliseconds"))
            if isinstance(body, dict) and "published_revision" in body:
                body = {**body, "published_revision": self._get_page(context_id).revision}
            return await super()._action(context_id, body)

    def _publish(self, page: Any, *, reason: Any = "action") -> None:
        """Send a page to the browser; after a jump of the clock, update relative times in all messages."""
        super()._publish(page, reason=reason)
        for message in page.snapshot["messages"].values():
            message["forward"] = self._clock.forward

    async def _let_time_pass(self, milliseconds: object) -> dict[str, Any]:
        """Set the clock forward by that many milliseconds, at most a day, and return the new time."""
        if isinstance(milliseconds, int) and 0 < milliseconds <= DAY:
            await self._clock.let_time_pass(milliseconds)
            self._publish_all_pages()
        return {"now": self._clock.now()}

    async def keep_publishing(self) -> None:
        """Show every change on all open pages soon after it happens, until cancelled."""
        backend = self.env.backend
        while True:
            await asyncio.sleep(_PUBLISH_SECONDS)
            # Publish nothing during an action: it publishes its page itself, and that page must not change meanwhile.
            if backend.transcript and self._active_action is None:
                backend.transcript.clear()
                backend.http_requests.clear()
                self._publish_all_pages()

    def _publish_all_pages(self) -> None:
        """Send all open pages to the browser in their current state."""
        self._advance_presentation_time()
        self._publish_message_pages(reason="refresh")
