"""Classes that let SimCord, the simulated Discord, run in real time.

SimCord is made for tests: its clock moves when a test moves it, and a click returns when all work is done. In the demo
a person clicks, and computer players take their time. So the demo's clock is the real one, possibly set forward; timers
fire on time, a click returns when the bot has answered, and pages are published again after every change.

This uses private parts of SimCord, which is why the demo pins its version; `tests/demo` checks those parts.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import time
from collections import deque
from datetime import UTC, datetime
from typing import Any, Final

from simcord import Env, Preview
from simcord._clock import Clock
from simcord._dpy_internals import real_monotonic
from simcord.actors import _component_interaction
from simcord.backend import Backend
from simcord.backend.errors import SetupError
from simcord.backend.models import Interaction, ResponseKind
from simcord.components import walk_components
from simcord.preview._action_plans import _find_scoped_component

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

_PUBLISHED: Final = 32
"""Number of publications of a page whose controls are kept, for clicks that come after a change."""


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


def _custom_id_at(message: Any, key: object, kind: int) -> object:
    """Return the custom id of the message's enabled control of that type under that key; None if there is none."""
    with contextlib.suppress(SetupError):
        return _find_scoped_component(message, key, types=(kind,)).get("custom_id")
    return None


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
        self._controls: dict[str, deque[tuple[int, dict[str, dict[str, Any]]]]] = {}

    async def _action(self, context_id: str | None, body: Any) -> dict[str, Any]:
        """Carry out an action of the page, even one on an outdated page; the bot decides if it counts."""
        async with self._turn:
            if isinstance(body, dict) and body.get("kind") == "let_time_pass":
                return await self._let_time_pass(body.get("milliseconds"))
            if isinstance(body, dict) and "published_revision" in body:
                seen = body["published_revision"]
                body = {**body, "published_revision": self._get_page(context_id).revision, "seen_revision": seen}
            return await super()._action(context_id, body)

    def _prepare_action(self, page: Any, kind: str, body: Any) -> Any:
        """Return the plan of an action; a control sends what the visitor saw, even if its message has changed.

        The page names a button by its place in the message, where there may be another one meanwhile.
        """
        if kind not in ("click", "select"):
            return super()._prepare_action(page, kind, body)
        message = self._target_message(page, self._target_id(body.get("target_id"), page.viewer))
        key = body.get("control_key")
        shown = dict(self._controls.get(page.id, ())).get(body.get("seen_revision"), {}).get(key)
        if shown is None:
            raise SetupError("the control the visitor saw is not known")
        if shown["custom_id"] == _custom_id_at(message, key, shown["type"]):
            return super()._prepare_action(page, kind, body)
        data = {"custom_id": shown["custom_id"], "component_type": shown["type"]}
        if kind == "select":
            data["values"] = list(body.get("values", ()))

        async def press_outdated_control(action: Any, cursor: int) -> dict[str, Any]:
            pressed = _component_interaction(page.viewer, message, data)
            return await self._run_interaction_action(page, action, cursor, pressed)

        return press_outdated_control

    def _publish(self, page: Any, *, reason: Any = "action") -> None:
        """Send a page to the browser; after a jump of the clock, update relative times in all messages."""
        super()._publish(page, reason=reason)
        for message in page.snapshot["messages"].values():
            message["forward"] = self._clock.forward
        self._remember_controls(page)

    def _remember_controls(self, page: Any) -> None:
        """Keep which control the page now shows under which key."""
        parts = walk_components([part for one in page.snapshot["messages"].values() for part in one["components"]])
        shown = {part["control_key"]: part for part in parts if "control_key" in part and "custom_id" in part}
        self._controls = {name: kept for name, kept in self._controls.items() if name in self._pages}
        self._controls.setdefault(page.id, deque(maxlen=_PUBLISHED)).append((page.revision, shown))

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
                self._complete_acknowledged_clicks()
                backend.transcript.clear()
                backend.http_requests.clear()
                self._publish_all_pages()

    def _complete_acknowledged_clicks(self) -> None:
        """Report each click that the bot has first acknowledged, and now answered in its message, as answered."""
        backend = self.env.backend
        edits = {request.path for request in backend.http_requests if request.method == "PATCH"}
        for one in [page.latest_action.interaction for page in self._pages.values() if page.latest_action is not None]:
            if one is not None and one.response_kind is ResponseKind.DEFERRED_UPDATE:
                answered = f"/webhooks/{backend.application_id}/{one.token}/messages/@original" in edits
                one.response_kind = ResponseKind.UPDATE if answered else one.response_kind

    def _publish_all_pages(self) -> None:
        """Send all open pages to the browser in their current state."""
        self._advance_presentation_time()
        self._publish_message_pages(reason="refresh")
