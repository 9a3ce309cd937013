"""The REST server of the local Discord, with every route that the bot uses.

A request to another route is recorded as a mistake. Routes of servers, direct messages and emojis are in
`server_routes`.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Protocol

from aiohttp import web

from bot.loopback.gateway import Gateway
from bot.loopback.injected_faults import LOST, UNANSWERED, Fault, Faults
from bot.loopback.interactions import (
    CHOICES,
    FORM,
    IN_PLACE,
    LATER,
    LATER_IN_PLACE,
    MESSAGE,
    Interaction,
    is_private,
    is_thinking_placeholder,
)
from bot.loopback.rate_limits import RateLimits
from bot.loopback.requests import RefusedRequest, Request, Route
from bot.loopback.server_routes import ServerRoutes
from bot.loopback.world import (
    EPHEMERAL,
    LOADING,
    OPEN_THREADS,
    PRIVATE_THREAD,
    VIEW,
    Channel,
    Json,
    World,
    new_id,
)

PREFIX = "/api/v10"
ANSWERS = re.compile(r"/(interactions|webhooks)/.*")
"""Routes outside the limits of channels and of all requests together."""

MOST_MESSAGES = 100
"""Most messages that one request for a channel's history returns."""

SENDING_STOPPED = 40004
ARCHIVED = 50083

THREAD_CREATED = 18
"""The kind of the line that Discord posts about a new thread."""


class Disturbance(Protocol):
    """An object that disturbs requests; see `RestServer.disturbances`."""

    async def before_request(self, request: Request) -> Fault | None:
        """Return a fault to answer the request with, or None to let it pass."""

    async def after_request(self, request: Request) -> None:
        """Act on a request that has been carried out, before the bot reads the answer."""


@dataclass(slots=True)
class RestServer:
    """Answers the bot's requests and records them all."""

    world: World
    gateway: Gateway
    address: str = ""
    faults: Faults = field(default_factory=Faults)
    limits: RateLimits = field(default_factory=RateLimits)
    requests: list[Request] = field(default_factory=list)
    disturbances: list[Disturbance] = field(default_factory=list)
    mistakes: list[str] = field(default_factory=list)
    """Requests to routes that are not known."""
    interactions: dict[str, Interaction] = field(default_factory=dict)
    """Interactions by token."""
    made: list[Json] = field(default_factory=list)
    """All messages that were posted to channels, also those deleted since; a repeated request makes none."""
    posted: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a message is posted to a channel."""
    _known: list[tuple[str, re.Pattern[str], Route]] = field(default_factory=list)

    def __post_init__(self) -> None:
        routes = [*self._routes(), *ServerRoutes(self.world, self.gateway).routes()]
        self._known = [(method, re.compile(pattern), route) for method, pattern, route in routes]

    def channel_requests(self, since: float = 0.0) -> list[Request]:
        """Return the requests about channels and messages since that time."""
        return [one for one in self.requests if one.at >= since and one.path.startswith("/channels/")]

    async def handle(self, received: web.Request) -> web.Response:
        """Return the response to one request, with the injected delay, faults and rate limits."""
        request = await _read_request(received)
        self.requests.append(request)
        await asyncio.sleep(self.faults.delay)
        fault = self.faults.take_matching(request.method, request.path)
        for one in self.disturbances:
            fault = await one.before_request(request) or fault
        if fault is not None and fault.status == LOST:
            self._show_failure(request)
            return _drop_connection(received)
        if fault is not None and fault.status != UNANSWERED:
            headers = {"Via": "1.1 google"} if fault.via else {}
            body = {"message": "fault", "code": fault.code, "retry_after": fault.retry_after, "global": False}
            return _json_response(body, fault.status, headers)
        headers = {}
        if not ANSWERS.fullmatch(request.path):
            verdict = self.limits.count_request(_rate_limit_bucket(request))
            headers = verdict.headers
            if not verdict.passes:
                told = {"message": "slow down", "retry_after": verdict.retry_after, "global": verdict.of_all}
                return _json_response(told, 429, headers)
        done = await self._run_route(request, headers)
        for one in self.disturbances:
            await one.after_request(request)
        return done if fault is None else _drop_connection(received)

    def _show_failure(self, request: Request) -> None:
        """Show the person that the interaction failed, if the lost request was to answer it first."""
        token = re.fullmatch(r"/interactions/\d+/(\w+)/callback", request.path)
        one = None if token is None else self.interactions.get(token[1])
        if one is not None and one.kind is None:
            one.complete.set()

    async def _run_route(self, request: Request, headers: dict[str, str]) -> web.Response:
        """Run the handler of the request's route; record an unknown route as a mistake."""
        for method, pattern, route in self._known:
            match = pattern.fullmatch(request.path) if method == request.method else None
            if match is not None:
                try:
                    return _json_response(await route(request, match), 200, headers)
                except RefusedRequest as refused:
                    return _json_response({"message": "refused", "code": refused.code}, refused.status, headers)
        self.mistakes.append(f"no such route: {request.method} {request.path}")
        return _json_response({"message": "404: Not Found", "code": 0}, 404, headers)

    def channel_of_request(self, request: Request) -> int | None:
        """Return the channel or thread of a request; None for a request about none.

        An example of such a request is the opening of direct messages.
        """
        channel = re.match(r"/channels/(\d+)", request.path)
        if channel is not None:
            return int(channel[1])
        token = re.match(r"/(?:interactions|webhooks)/\d+/(\w+)", request.path)
        one = None if token is None else self.interactions.get(token[1])
        return None if one is None else one.channel

    def _routes(self) -> list[tuple[str, str, Route]]:
        """Return the method, path pattern and handler of every known route."""
        message = r"/channels/(\d+)/messages/(\d+)"
        original = r"/webhooks/\d+/(\w+)/messages/@original"
        followup = r"/webhooks/\d+/(\w+)/messages/(\d+)"
        return [
            ("GET", "/users/@me", self._get_own_user),
            ("GET", "/oauth2/applications/@me", self._get_application),
            ("GET", "/gateway/bot", self._get_gateway_address),
            ("GET", r"/applications/\d+/commands", self._get_commands),
            ("PUT", r"/applications/\d+/commands", self._set_commands),
            ("POST", r"/interactions/\d+/(\w+)/callback", self._answer_interaction),
            ("POST", r"/webhooks/\d+/(\w+)", self._post_followup),
            ("PATCH", original, self._edit_original),
            ("DELETE", original, self._delete_original),
            ("PATCH", followup, self._edit_followup),
            ("DELETE", followup, self._delete_followup),
            ("POST", r"/channels/(\d+)/messages", self._post_message),
            ("PATCH", message, self._edit_message),
            ("DELETE", message, self._delete_message),
            ("POST", message + "/threads", self._open_thread),
            ("GET", r"/channels/(\d+)/messages", self._get_history),
            ("POST", r"/channels/(\d+)/threads", self._open_thread_without_message),
            ("PUT", r"/channels/(\d+)/thread-members/(\d+)", self._add_member),
            ("DELETE", r"/channels/(\d+)/thread-members/(\d+)", self._remove_member),
            ("GET", r"/channels/(\d+)", self._get_channel),
            ("PATCH", r"/channels/(\d+)", self._change_channel),
        ]

    # --- the application

    async def _get_own_user(self, _request: Request, _match: re.Match[str]) -> Json:
        return self.world.user_json(self.world.bot, "canasta", bot=True)

    async def _get_application(self, _request: Request, _match: re.Match[str]) -> Json:
        number = str(self.world.bot)
        told = {"id": number, "name": "canasta", "description": "", "icon": None, "verify_key": "", "flags": 0}
        owner = {"owner": self.world.user_json(1, "owner"), "team": None, "bot_public": True}
        return {**told, **owner, "bot_require_code_grant": False, "rpc_origins": []}

    async def _get_gateway_address(self, _request: Request, _match: re.Match[str]) -> Json:
        return {"url": f"ws://{self.address}/gw", "shards": 1, "session_start_limit": self.world.starts}

    async def _get_commands(self, _request: Request, _match: re.Match[str]) -> list[Json]:
        return self.world.commands

    async def _set_commands(self, request: Request, _match: re.Match[str]) -> list[Json]:
        told = {"application_id": str(self.world.bot), "version": "1", "default_member_permissions": None}
        given: Any = request.body
        self.world.commands = [{"description": "", **told, **one, "id": str(new_id())} for one in given]
        return self.world.commands

    # --- interactions

    def _find_interaction(self, token: str) -> Interaction:
        found = self.interactions.get(token)
        if found is None or found.is_over:
            raise RefusedRequest(401, 50027)
        return found

    async def _answer_interaction(self, request: Request, match: re.Match[str]) -> Json:
        """Handle the bot's first answer to an interaction, and return the response."""
        one = self._find_interaction(match[1])
        if one.kind is not None:
            raise RefusedRequest(400, 40060)
        if one.is_late:
            one.complete.set()
            raise RefusedRequest(404, 10062)
        kind, body = int(request.body["type"]), request.body.get("data") or {}
        if kind in (MESSAGE, LATER):
            one.message = self.world.make_message(one.channel, body, request.files, type=20)
            one.message["flags"] |= LOADING if kind == LATER else 0
            self._store_message(one.message)
        elif kind in (IN_PLACE, LATER_IN_PLACE):
            one.message = one.used
            if kind == IN_PLACE and one.used is not None:
                self.world.edit_message(one.used, body, request.files)
        elif kind == FORM:
            one.form = body
        elif kind != CHOICES:
            raise RefusedRequest(400, 50035)
        one.record_answer(kind)
        told: Json = {"interaction": {"id": str(one.id), "type": 2}}
        if one.message is not None:
            told["interaction"] |= {
                "response_message_id": one.message["id"],
                "response_message_loading": kind == LATER,
                "response_message_ephemeral": is_private(one.message),
            }
        if kind in (MESSAGE, IN_PLACE):
            told["resource"] = {"type": kind, "message": one.message}
        return told

    def _store_message(self, message: Json) -> None:
        """Store a message: ephemeral ones separately, others in their channel."""
        if message["flags"] & EPHEMERAL:
            self.world.private[int(message["id"])] = message
        else:
            self.world.channels[int(message["channel_id"])].messages[int(message["id"])] = message

    async def _post_followup(self, request: Request, match: re.Match[str]) -> Json:
        """Handle a message that the bot sends after its first answer."""
        one = self._find_interaction(match[1])
        if one.message is not None and is_thinking_placeholder(one.message):
            return await self._edit_original(request, match)
        message = self.world.make_message(one.channel, request.body, request.files)
        self._store_message(message)
        one.followups.append(message)
        one.complete.set()
        return message

    async def _edit_original(self, request: Request, match: re.Match[str]) -> Json:
        one = self._find_interaction(match[1])
        if one.message is None:
            raise RefusedRequest(404, 10008)
        self.world.edit_message(one.message, request.body, request.files)
        one.complete.set()
        return one.message

    async def _delete_original(self, _request: Request, match: re.Match[str]) -> None:
        one = self._find_interaction(match[1])
        if one.message is None:
            raise RefusedRequest(404, 10008)
        self._remove_message(one.message)
        one.complete.set()

    def _find_answer_message(self, match: re.Match[str]) -> Json:
        """Return the message that the request names: a follow-up of the answer, or the answer itself."""
        one = self._find_interaction(match[1])
        found = next((each for each in (one.message, *one.followups) if each and each["id"] == match[2]), None)
        if found is None or not self._is_stored(found):
            raise RefusedRequest(404, 10008)
        return found

    def _is_stored(self, message: Json) -> bool:
        """Return whether the message still exists."""
        number, channel = int(message["id"]), self.world.channels.get(int(message["channel_id"]))
        return number in self.world.private or (channel is not None and number in channel.messages)

    async def _edit_followup(self, request: Request, match: re.Match[str]) -> Json:
        return self.world.edit_message(self._find_answer_message(match), request.body, request.files)

    async def _delete_followup(self, _request: Request, match: re.Match[str]) -> None:
        self._remove_message(self._find_answer_message(match))

    def _remove_message(self, message: Json) -> None:
        """Remove a message; nothing happens if its channel is gone."""
        self.world.private.pop(int(message["id"]), None)
        channel = self.world.channels.get(int(message["channel_id"]))
        if channel is not None:
            channel.messages.pop(int(message["id"]), None)

    # --- channels

    def _find_channel(self, number: str) -> Channel:
        found = self.world.channels.get(int(number))
        if found is None:
            raise RefusedRequest(404, 10003)
        return found

    def _find_message(self, match: re.Match[str]) -> Json:
        found = self._find_channel(match[1]).messages.get(int(match[2]))
        if found is None:
            raise RefusedRequest(404, 10008)
        return found

    def _postable_channel(self, number: str) -> Channel:
        """Return the channel with that number, in which the bot must be allowed to post."""
        found = self._find_channel(number)
        if not found.may_post:
            raise RefusedRequest(403, 50013 if found.permissions & VIEW else 50001)
        if found.recipient and (code := self.world.closed.get(found.recipient)):
            raise RefusedRequest(403, code)
        if found.recipient and self.world.opening_refused and self.world.opening_refused[0] == SENDING_STOPPED:
            raise RefusedRequest(403, SENDING_STOPPED)
        return found

    async def _post_message(self, request: Request, match: re.Match[str]) -> Json:
        channel = self._postable_channel(match[1])
        nonce = (channel.id, str(request.body.get("nonce", "")))
        known = self.world.nonces.get(nonce) if nonce[1] and request.body.get("enforce_nonce") else None
        if known in channel.messages:
            return channel.messages[known]
        message = self.world.make_message(channel.id, request.body, request.files)
        channel.messages[int(message["id"])] = message
        self.made.append(message)
        channel.archived = False
        self.world.nonces[nonce] = int(message["id"])
        self.posted.set()
        return message

    async def _edit_message(self, request: Request, match: re.Match[str]) -> Json:
        channel = self._postable_channel(match[1])
        if channel.archived:
            raise RefusedRequest(400, ARCHIVED)
        return self.world.edit_message(self._find_message(match), request.body, request.files)

    async def _get_history(self, request: Request, match: re.Match[str]) -> list[Json]:
        before = int(request.query.get("before", new_id()))
        most = min(int(request.query.get("limit", 50)), MOST_MESSAGES)
        newest = reversed(self._find_channel(match[1]).messages.items())
        return list(islice((one for number, one in newest if number < before), most))

    async def _delete_message(self, _request: Request, match: re.Match[str]) -> None:
        self._find_message(match)
        del self._find_channel(match[1]).messages[int(match[2])]

    async def _open_thread(self, request: Request, match: re.Match[str]) -> Json:
        message = self._find_message(match)
        thread = self.world.add_thread(self._channel_for_thread(match), int(message["id"]), str(request.body["name"]))
        await self.gateway.send_event("THREAD_CREATE", {**thread.json(), "newly_created": True})
        return thread.json()

    async def _open_thread_without_message(self, request: Request, match: re.Match[str]) -> Json:
        """Open a thread that belongs to no message.

        Discord's own message about a public one appears in the channel.
        """
        parent, kind = self._channel_for_thread(match), int(request.body.get("type", PRIVATE_THREAD))
        thread = self.world.add_thread(parent, new_id(), str(request.body["name"]), kind=kind)
        if kind != PRIVATE_THREAD:
            line = self.world.make_message(parent.id, {"content": thread.name}, [], type=THREAD_CREATED)
            parent.messages[int(line["id"])] = line
        await self.gateway.send_event("THREAD_CREATE", {**thread.json(), "newly_created": True})
        return thread.json()

    def _channel_for_thread(self, match: re.Match[str]) -> Channel:
        """Return the request's channel, in which the bot must be allowed to open threads."""
        parent = self._postable_channel(match[1])
        if not parent.permissions & OPEN_THREADS:
            raise RefusedRequest(403, 50013)
        return parent

    async def _add_member(self, _request: Request, match: re.Match[str]) -> None:
        self._find_channel(match[1]).members.add(int(match[2]))

    async def _remove_member(self, _request: Request, match: re.Match[str]) -> None:
        self._find_channel(match[1]).members.discard(int(match[2]))

    async def _get_channel(self, _request: Request, match: re.Match[str]) -> Json:
        return self._find_channel(match[1]).json()

    async def _change_channel(self, request: Request, match: re.Match[str]) -> Json:
        channel = self._find_channel(match[1])
        channel.archived = bool(request.body.get("archived", channel.archived))
        await self.gateway.send_event("THREAD_UPDATE", channel.json())
        return channel.json()


async def _read_request(received: web.Request) -> Request:
    """Return the request's JSON body and the metadata of its files."""
    body: Any = {}
    files: list[Json] = []
    data = await received.read()
    if received.content_type == "multipart/form-data":
        for headers, content in _multipart_parts(data, received.headers["Content-Type"]):
            name = re.search(rb'filename="([^"]*)"', headers)
            if name is None:
                body = json.loads(content)
            else:
                told = {"id": str(new_id()), "filename": name[1].decode(), "size": len(content)}
                files.append({**told, "content_type": "image/png", "width": 1, "height": 1, "ephemeral": True})
    elif data:
        body = json.loads(data)
    return Request(
        received.method, received.path.removeprefix(PREFIX), body, files, time.monotonic(), dict(received.query)
    )


def _multipart_parts(data: bytes, kind: str) -> Iterator[tuple[bytes, bytes]]:
    """Yield the parts of a multipart form as headers and content."""
    boundary = b"--" + kind.partition("boundary=")[2].strip('"').encode()
    for part in data.split(boundary)[1:-1]:
        headers, _, content = part.removeprefix(b"\r\n").partition(b"\r\n\r\n")
        yield headers, content.removesuffix(b"\r\n")


def _drop_connection(received: web.Request) -> web.Response:
    """Close the connection, and return a response that never arrives."""
    if received.transport is not None:
        received.transport.close()
    return web.Response()


def _rate_limit_bucket(request: Request) -> str:
    """Return the name of the request's rate limit: its route without ids, and its channel."""
    route = re.sub(r"\d+", "#", request.path)
    channel = re.match(r"/channels/(\d+)", request.path)
    return f"{request.method} {route} {'' if channel is None else channel[1]}"


def _json_response(body: Any, status: int, headers: dict[str, str]) -> web.Response:
    """Return a JSON response.

    Its content type has no charset, because discord.py accepts no other.
    """
    if body is None:
        return web.Response(status=204, headers=headers)
    return web.Response(
        body=json.dumps(body).encode(), status=status, headers={**headers, "Content-Type": "application/json"}
    )
