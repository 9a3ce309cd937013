"""The gateway: one websocket to the bot with heartbeats, resuming and events."""

from __future__ import annotations

import asyncio
import contextlib
import json
import uuid
from collections.abc import Callable

from aiohttp import WSMsgType, web

from bot.loopback.world import Json, World

HEARTBEAT = 41_250
ACKNOWLEDGED_AFTER = 0.05
"""Delay in seconds, because the library takes a heartbeat answered at once for a late one."""


class Gateway:
    """Sends events to the bot; events missed while it is disconnected are sent when it resumes."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._socket: web.WebSocketResponse | None = None
        self._session = ""
        self._told: list[Json] = []
        self.identified = asyncio.Event()
        self.resumed = 0
        self.identifies = 0

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one websocket connection of the bot."""
        socket = web.WebSocketResponse(heartbeat=None, max_msg_size=0)
        await socket.prepare(request)
        await socket.send_json({"op": 10, "d": {"heartbeat_interval": HEARTBEAT}, "s": None, "t": None})
        async for message in socket:
            if message.type is WSMsgType.TEXT:
                await self._answer(socket, json.loads(message.data))
        if self._socket is socket:
            self._socket = None
            self.identified.clear()
        return socket

    async def _answer(self, socket: web.WebSocketResponse, told: Json) -> None:
        """Answer a heartbeat, identify or resume message of the bot."""
        match told["op"]:
            case 1:
                await asyncio.sleep(ACKNOWLEDGED_AFTER)
                await socket.send_json({"op": 11, "d": None, "s": None, "t": None})
            case 2:
                await self._identify(socket)
            case 6:
                await self._resume(socket, told["d"])

    async def _identify(self, socket: web.WebSocketResponse) -> None:
        """Begin a new session: send READY and the servers."""
        self.identifies += 1
        self._world.starts["remaining"] -= 1
        self._socket, self._session, self._told = socket, uuid.uuid4().hex, []
        world = self._world
        await self.tell(
            "READY",
            {
                "v": 10,
                "user": world.user(world.bot, "canasta", bot=True),
                "guilds": [{"id": str(number), "unavailable": True} for number in world.servers],
                "session_id": self._session,
                "resume_gateway_url": "",
                "application": {"id": str(world.bot), "flags": 0},
                "shard": [0, 1],
                "private_channels": [],
                "relationships": [],
            },
        )
        for server in world.servers.values():
            await self.tell("GUILD_CREATE", world.server(server))
        self.identified.set()

    async def _resume(self, socket: web.WebSocketResponse, asked: Json) -> None:
        """Send the missed events of a known session; reject an unknown session."""
        if asked["session_id"] != self._session:
            await socket.send_json({"op": 9, "d": False, "s": None, "t": None})
            return
        self._socket = socket
        self.resumed += 1
        for event in [one for one in self._told if one["s"] > asked["seq"]]:
            await socket.send_json(event)
        await self.tell("RESUMED", {})
        self.identified.set()

    async def tell(self, name: str, data: Json) -> None:
        """Send an event to the bot, and keep it for resuming."""
        event = {"op": 0, "t": name, "s": len(self._told) + 1, "d": data}
        self._told.append(event)
        if self._socket is not None:
            with contextlib.suppress(ConnectionError):
                await self._socket.send_json(event)

    async def repeat(self, name: str, wanted: Callable[[Json], bool]) -> None:
        """Send the events of that name in this session once more, as Discord may after a resume."""
        for data in [one["d"] for one in self._told if one["t"] == name]:
            if wanted(data):
                await self.tell(name, data)

    async def drop(self, code: int = 4000) -> None:
        """Close the connection as Discord does now and then; the bot then resumes."""
        if self._socket is not None:
            await self._socket.close(code=code)
