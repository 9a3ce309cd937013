"""Faults of Discord as data, each in a file of `tests/wire/faults`, and what causes them in a scene.

`does` names the fault. At night it is tried in all `scenes`, after every request from number `first` on; by day in the
scenes `by_day`, after the requests listed in `after` (0: before the first). With `route`, a method and a path with
``*``, it happens at the first `times` requests of the scene to this route instead. `told` says where people learn of
the change meanwhile: on the `board`, or by the `answer` to their press.
"""

from __future__ import annotations

import asyncio
import fnmatch
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from bot.loopback.injected_faults import LOST, UNANSWERED, Fault
from bot.loopback.requests import Request
from bot.loopback.world import IN_THREADS, SEND, Channel, Json
from cogs.shared.notices.turn_decisions import SPREAD
from tests.wire.board_player import board_of
from tests.wire.scenes import MOST_SECONDS, Scene

FOLDER: Final = Path(__file__).parent / "faults"

RESPONSES: Final = {
    "error": Fault("", "", 500),
    "limit": Fault("", "", 429, retry_after=0.2),
    "drop": Fault("", "", UNANSWERED),
    "lose": Fault("", "", LOST),
}
"""Error responses that a request may get in place of its answer."""


@dataclass(frozen=True, slots=True)
class FaultKind:
    """A kind of fault, as read from its file."""

    does: str
    scenes: Sequence[str]
    by_day: Sequence[str] = ()
    after: Sequence[int] = ()
    first: int = 0
    route: str = ""
    times: int = 1
    told: str = "board"

    def places_to_try(self, requests: Mapping[str, int], *, every: bool) -> list[tuple[str, int]]:
        """Return the scenes in which to try this fault, each with the number of requests before it.

        `requests` is how many requests each scene makes.
        """
        if self.route:
            return [(scene, 0) for scene in self.scenes]
        if not every:
            return [(scene, after) for scene in self.by_day for after in self.after]
        return [(scene, after) for scene in self.scenes for after in range(self.first, requests[scene] + 1)]


def load_fault_kinds() -> list[FaultKind]:
    """Return the kinds of faults, one for each file."""
    return [FaultKind(**tomllib.loads(file.read_text("utf-8"))) for file in sorted(FOLDER.glob("*.toml"))]


@dataclass(slots=True)
class Interruption:
    """Causes a fault in a scene, after that many of its requests.

    Without a fault it only counts them.
    """

    scene: Scene
    fault: FaultKind | None = None
    after_requests: int = 0
    count: int = 0
    happened: int = 0
    revoked: list[tuple[Channel, int]] = field(default_factory=list)
    """Channels in which the bot may not post any more, with its permissions before."""

    async def begin(self) -> None:
        """Watch the scene from now on.

        A fault that comes before its first request happens at once.
        """
        self.scene.rest.disturbances.append(self)
        if not self.after_requests and not self._is_answer:
            await self._cause_fault()

    async def end(self) -> None:
        """Let the fault happen now if the scene made too few requests, and restore what it broke.

        The bot combines changes at times, so the number of requests varies. The bot gets its permissions back. After a
        lost connection it spreads its notices over some minutes, so its clock is put forward. Discord does not report
        deleted messages, so the host asks for the table.
        """
        if self.fault is not None and self._is_answer and not self.fault.route:
            await self._ask_for_hand_until_fault()
        self.scene.rest.disturbances.remove(self)
        if not self.happened and not self._is_answer:
            await self._cause_fault()
        for channel, permissions in self.revoked:
            channel.permissions = permissions
            await self._send_event("CHANNEL_UPDATE" if channel.parent is None else "THREAD_UPDATE", channel.json())
        if self.revoked:
            await self.scene.request_hand_until_board_is_right()
        match self.fault:
            case FaultKind(does="drop_connection"):
                await self.scene.bot.put_clock_forward(SPREAD)
            case FaultKind(does="delete_message"):
                await self.scene.host.with_channel(self.scene.table_channel).use_command("table show")

    async def before_request(self, request: Request) -> Fault | None:
        """Return the fault that replaces the answer to this request; None if Discord answers it."""
        if self.fault is None or not self._is_answer or not self.scene.is_about_table(request):
            return None
        if self.fault.route:
            here = self.happened < self.fault.times and fnmatch.fnmatchcase(
                f"{request.method} {request.path}", self.fault.route
            )
        else:
            here = self.count == self.after_requests and not self.happened
        if not here:
            return None
        self.happened += 1
        return replace(RESPONSES[self.fault.does])

    async def after_request(self, request: Request) -> None:
        """Count the request, and let the fault happen if it is due after it."""
        if self.scene.is_about_table(request):
            self.count += 1
            if self.count == self.after_requests and not self._is_answer:
                await self._cause_fault()

    @property
    def _is_answer(self) -> bool:
        """Whether the fault is Discord's answer to a request, and not an event."""
        return self.fault is None or self.fault.does in RESPONSES

    async def _cause_fault(self) -> None:
        """Cause the event that is the fault."""
        assert self.fault is not None
        self.happened += 1
        await getattr(self, f"_{self.fault.does}")()

    async def _ask_for_hand_until_fault(self) -> None:
        """Let the host ask for the hand until one of these requests is answered with the fault."""
        async with asyncio.timeout(MOST_SECONDS):
            while not self.happened:
                await self.scene.host.with_channel(self.scene.table_channel).use_command("hand")

    async def _drop_connection(self) -> None:
        await self.scene.rest.gateway.drop_connections()

    async def _click_again(self) -> None:
        self.scene.click_again()

    async def _repeat_interactions(self) -> None:
        await self.scene.rest.gateway.repeat_events("INTERACTION_CREATE", self._is_in_scene)

    async def _archive_threads(self) -> None:
        for thread in self.scene.threads:
            thread.archived = True
            await self._send_event("THREAD_UPDATE", thread.json())

    async def _delete_message(self) -> None:
        board = board_of(self.scene.table_channel, self.scene.table)
        if board is not None:
            del self.scene.table_channel.messages[int(board["id"])]

    async def _delete_thread(self) -> None:
        for thread in self.scene.threads:
            del self.scene.rest.world.channels[thread.id]
            await self._send_event("THREAD_DELETE", thread.json())

    async def _delete_channel(self) -> None:
        for channel in (*self.scene.threads, self.scene.channel):
            del self.scene.rest.world.channels[channel.id]
        await self._send_event("CHANNEL_DELETE", self.scene.channel.json())

    async def _revoke_permissions(self) -> None:
        for channel in (self.scene.channel, *self.scene.threads):
            self.revoked.append((channel, channel.permissions))
            channel.permissions &= ~(SEND | IN_THREADS)
        await self._send_event("CHANNEL_UPDATE", self.scene.channel.json())

    def _is_in_scene(self, event: Json) -> bool:
        """Return whether an interaction was made in this scene's channel or threads."""
        return int(event["channel_id"]) in (self.scene.channel.id, *(one.id for one in self.scene.threads))

    async def _send_event(self, name: str, about: Json) -> None:
        await self.scene.rest.gateway.send_event(name, about)
