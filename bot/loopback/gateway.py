"""The gateway of the local Discord: websockets to the bot's shards, with heartbeats and events."""

from __future__ import annotations

import asyncio
import contextlib
import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf

from aiohttp import WSMsgType, web

from bot.loopback.world import Json, World

HEARTBEAT = 41_250
ACKNOWLEDGED_AFTER = 0.05
"""Delay in seconds, because the library takes a heartbeat answered at once for a late one."""


@dataclass(slots=True)
class Session:
    """A gateway session of one shard: its connection, its name, and the events sent in it."""

    socket: web.WebSocketResponse | None
    name: str
    told: list[Json] = field(default_factory=list)


class Gateway:
    """Sends events to the bot's shards; events missed while one is disconnected are sent when it resumes.

    `identified` is set while all shards are connected, as many as the bot last announced.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._sessions: dict[int, Session] = {}
        self._count = 1
        self.identified = asyncio.Event()
        self.resumed = 0
        self.identifies = 0
        self.identify_gap = 0.0
        """Seconds within which a second identify at the same place (shard % `max_concurrency`) is refused."""
        self.refused = 0
        self.identified_at: list[float] = []
        self._last_at: dict[int, float] = {}

    async def serve_connection(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one websocket connection of the bot."""
        socket = web.WebSocketResponse(heartbeat=None, max_msg_size=0)
        await socket.prepare(request)
        await socket.send_json({"op": 10, "d": {"heartbeat_interval": HEARTBEAT}, "s": None, "t": None})
        async for message in socket:
            if message.type is WSMsgType.TEXT:
                await self._answer_message(socket, json.loads(message.data))
        for session in self._sessions.values():
            if session.socket is socket:
                session.socket = None
                self.identified.clear()
        return socket

    async def _answer_message(self, socket: web.WebSocketResponse, message: Json) -> None:
        """Answer a heartbeat, identify (login) or resume message of the bot."""
        match message["op"]:
            case 1:
                await asyncio.sleep(ACKNOWLEDGED_AFTER)
                await socket.send_json({"op": 11, "d": None, "s": None, "t": None})
            case 2:
                await self._identify(socket, *message["d"].get("shard", (0, 1)))
            case 6:
                await self._resume(socket, message["d"])

    async def _identify(self, socket: web.WebSocketResponse, shard: int, count: int) -> None:
        """Begin a new session of a shard: send READY and the shard's servers.

        A login that comes too soon after the last one is refused.
        """
        self.identifies += 1
        now, place = asyncio.get_running_loop().time(), shard % self._world.starts["max_concurrency"]
        is_too_soon = now - self._last_at.get(place, -inf) < self.identify_gap
        self._last_at[place] = now
        if is_too_soon:
            self.refused += 1
            await socket.send_json({"op": 9, "d": False, "s": None, "t": None})
            return
        self.identified_at.append(now)
        self._world.starts["remaining"] -= 1
        if count != self._count:
            self._sessions, self._count = {}, count
        self._sessions[shard] = session = Session(socket, uuid.uuid4().hex)
        world = self._world
        servers = {number: one for number, one in world.servers.items() if self.shard_of(number) == shard}
        await self._send_in_session(
            session,
            "READY",
            {
                "v": 10,
                "user": world.user_json(world.bot, "canasta", bot=True),
                "guilds": [{"id": str(number), "unavailable": True} for number in servers],
                "session_id": session.name,
                "resume_gateway_url": "",
                "application": {"id": str(world.bot), "flags": 0},
                "shard": [shard, count],
                "private_channels": [],
                "relationships": [],
            },
        )
        for server in servers.values():
            await self._send_in_session(session, "GUILD_CREATE", world.server_json(server))
        self._note_connected()

    def shard_of(self, guild: int) -> int:
        """Return the number of the shard that receives a server's events."""
        return (guild >> 22) % self._count

    def connected_shards(self) -> tuple[int, ...]:
        """Return the numbers of the shards that are connected."""
        return tuple(sorted(shard for shard, session in self._sessions.items() if session.socket is not None))

    def _note_connected(self) -> None:
        """Set `identified` if all shards are connected now."""
        if len(self.connected_shards()) == self._count:
            self.identified.set()

    async def _resume(self, socket: web.WebSocketResponse, resume: Json) -> None:
        """Send the missed events of a known session; reject an unknown session."""
        session = next((one for one in self._sessions.values() if one.name == resume["session_id"]), None)
        if session is None:
            await socket.send_json({"op": 9, "d": False, "s": None, "t": None})
            return
        session.socket = socket
        self.resumed += 1
        for event in [one for one in session.told if one["s"] > resume["seq"]]:
            await socket.send_json(event)
        await self._send_in_session(session, "RESUMED", {})
        self._note_connected()

    async def send_event(self, name: str, data: Json) -> None:
        """Send an event to the shard of its server, and keep it for a resume.

        Events of direct messages go to shard 0.
        """
        guild = int(data.get("guild_id") or (data["id"] if name.startswith("GUILD_") and "id" in data else 0))
        session = self._sessions.get(self.shard_of(guild))
        if session is not None:
            await self._send_in_session(session, name, data)

    async def _send_in_session(self, session: Session, name: str, data: Json) -> None:
        """Send an event in a session, and keep it for a resume."""
        event = {"op": 0, "t": name, "s": len(session.told) + 1, "d": data}
        session.told.append(event)
        if session.socket is not None:
            with contextlib.suppress(ConnectionError):
                await session.socket.send_json(event)

    async def repeat_events(self, name: str, wanted: Callable[[Json], bool]) -> None:
        """Send the current sessions' events of that name again, as Discord may after a resume."""
        for data in [one["d"] for session in self._sessions.values() for one in session.told if one["t"] == name]:
            if wanted(data):
                await self.send_event(name, data)

    async def drop_connections(self, code: int = 4000) -> None:
        """Close all connections, as Discord sometimes does; the bot then resumes."""
        for session in self._sessions.values():
            if session.socket is not None:
                await session.socket.close(code=code)
