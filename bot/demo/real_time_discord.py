"""Let SimCord run in real time.

SimCord is made for tests: its clock moves when a test moves it, and a click returns when all work is done. The demo
has a person in front of it and computer players who take their time. So its clock is the real one, possibly set
forward; timers fire on time, a click returns when the bot has answered, and pages are published again after every
change.

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
    """A clock that shows `WORLD_CREATED_AT` while the world is made, and the bot's time after `go_live`."""

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
        """Wait for the answer to the last interaction, as long as Discord would."""
        self._work.callbacks = [one for one in self._work.callbacks if one.handle and not one.handle.cancelled()]
        asked, self._asked = self._asked, None
        limit = time.perf_counter() + ANSWER_SECONDS
        await asyncio.sleep(0)
        while asked is not None and not asked.responded and time.perf_counter() < limit:
            await asyncio.sleep(_POLL_SECONDS)

    def _schedule_timer(self, record: Any, *_: Any) -> None:
        """Let a timer of the bot fire in real time."""

        def fire() -> None:
            if record.handle is not None and not record.handle.cancelled():
                record.handle._run()

        delay = max(record.when - self._virtual_time, 0.0)
        runtime: Any = self._runtime
        # An empty context, because the timer itself enters the context it was made in.
        record.real_handle = runtime.call_at(real_monotonic() + delay, fire, context=contextvars.Context())


class LivePreview(Preview):
    """A preview that shows changes as they happen, and accepts clicks meanwhile."""

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
        """Carry out an action even if the page has changed since; the bot decides if it still counts."""
        async with self._turn:
            if isinstance(body, dict) and body.get("kind") == "let_time_pass":
                return await self._let_time_pass(body.get("milliseconds"))
            if isinstance(body, dict) and "published_revision" in body:
                body = {**body, "published_revision": self._get_page(context_id).revision}
            return await super()._action(context_id, body)

    def _publish(self, page: Any, *, reason: Any = "action") -> None:
        """Publish a page; after a jump of the clock, update the relative times in all messages."""
        super()._publish(page, reason=reason)
        for message in page.snapshot["messages"].values():
            message["forward"] = self._clock.forward

    async def _let_time_pass(self, milliseconds: object) -> dict[str, Any]:
        """Let that much time pass, at most a day, and return the new time."""
        if isinstance(milliseconds, int) and 0 < milliseconds <= DAY:
            await self._clock.let_time_pass(milliseconds)
            self._publish_all_pages()
        return {"now": self._clock.now()}

    async def keep_publishing(self) -> None:
        """Publish every change on all pages soon after it happens; runs until cancelled."""
        backend = self.env.backend
        while True:
            await asyncio.sleep(_PUBLISH_SECONDS)
            # Not during an action: it publishes its page itself, and that page must not change meanwhile.
            if backend.transcript and self._active_action is None:
                backend.transcript.clear()
                backend.http_requests.clear()
                self._publish_all_pages()

    def _publish_all_pages(self) -> None:
        """Publish all pages in their current state."""
        self._advance_presentation_time()
        self._publish_message_pages(reason="refresh")
