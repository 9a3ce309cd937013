"""The gateway: one websocket to the bot, with heartbeats, resuming, and everything that happens as events."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets

from aiohttp import WSMsgType, web

from tests.support.loopback.world import Json, World

HEARTBEAT = 41_250
ACKNOWLEDGED_AFTER = 0.05
"""A heartbeat answered at once is taken for a late one by the library."""


class Gateway:
    """Tells the bot what happens; what it misses while it is away is told when it resumes."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._socket: web.WebSocketResponse | None = None
        self._session = ""
        self._told: list[Json] = []
        self.identified = asyncio.Event()
        self.resumed = 0

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        """One connection of the bot's."""
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
        match told["op"]:
            case 1:
                await asyncio.sleep(ACKNOWLEDGED_AFTER)
                await socket.send_json({"op": 11, "d": None, "s": None, "t": None})
            case 2:
                await self._identify(socket)
            case 6:
                await self._resume(socket, told["d"])

    async def _identify(self, socket: web.WebSocketResponse) -> None:
        self._socket, self._session, self._told = socket, secrets.token_hex(8), []
        world = self._world
        await self.tell(
            "READY",
            {
                "v": 10,
                "user": world.user(world.bot, "canasta", bot=True),
                "guilds": [{"id": str(world.guild), "unavailable": True}],
                "session_id": self._session,
                "resume_gateway_url": "",
                "application": {"id": str(world.bot), "flags": 0},
                "shard": [0, 1],
                "private_channels": [],
                "relationships": [],
            },
        )
        await self.tell("GUILD_CREATE", world.server())
        self.identified.set()

    async def _resume(self, socket: web.WebSocketResponse, asked: Json) -> None:
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
        """Something happened."""
        event = {"op": 0, "t": name, "s": len(self._told) + 1, "d": data}
        self._told.append(event)
        if self._socket is not None:
            with contextlib.suppress(ConnectionError):
                await self._socket.send_json(event)

    async def drop(self, code: int = 4000) -> None:
        """Close the connection as Discord does now and then; the bot resumes."""
        if self._socket is not None:
            await self._socket.close(code=code)
