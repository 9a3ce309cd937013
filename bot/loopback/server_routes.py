"""REST routes of servers, direct messages and emojis.

They include members and scheduled events of servers, and refusals to open direct messages.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.loopback.gateway import Gateway
from bot.loopback.requests import RefusedRequest, Request, Route
from bot.loopback.world import Json, Server, World, new_id

OPENING_STATUS = {40003: 429, 20026: 403}
"""The HTTP status of each code with which opening direct messages is refused."""

SCHEDULED = 1


@dataclass(slots=True)
class ServerRoutes:
    """Answers requests about servers, people, direct messages and emojis."""

    world: World
    gateway: Gateway

    def routes(self) -> list[tuple[str, str, Route]]:
        """Return the method, path pattern and handler of each of these routes."""
        events, event = r"/guilds/(\d+)/scheduled-events", r"/guilds/(\d+)/scheduled-events/(\d+)"
        emojis, emoji = r"/applications/\d+/emojis", r"/applications/\d+/emojis/(\d+)"
        return [
            ("POST", "/users/@me/channels", self._open_direct_messages),
            ("GET", r"/guilds/(\d+)/members/(\d+)", self._get_member),
            ("GET", events, self._list_events),
            ("POST", events, self._create_event),
            ("GET", event, self._get_event),
            ("PATCH", event, self._change_event),
            ("DELETE", event, self._delete_event),
            ("GET", emojis, self._list_emojis),
            ("POST", emojis, self._create_emoji),
            ("DELETE", emoji, self._delete_emoji),
        ]

    async def _open_direct_messages(self, request: Request, _match: re.Match[str]) -> Json:
        """Open direct messages with a person, and return the channel.

        The request is refused if the limit of openings is reached.
        """
        refused = self.world.opening_refused
        if refused is not None and refused[0] in OPENING_STATUS and self.world.openings >= refused[1]:
            raise RefusedRequest(OPENING_STATUS[refused[0]], refused[0])
        self.world.openings += 1
        return self.world.direct_messages(int(request.body["recipient_id"])).json()

    def _find_server(self, match: re.Match[str]) -> Server:
        found = self.world.servers.get(int(match[1]))
        if found is None:
            raise RefusedRequest(404, 10004)
        return found

    async def _get_member(self, _request: Request, match: re.Match[str]) -> Json:
        name = self._find_server(match).members.get(int(match[2]))
        if name is None:
            raise RefusedRequest(404, 10007)
        return self.world.member_json(int(match[2]), name)

    # --- scheduled events

    def _find_event(self, match: re.Match[str]) -> Json:
        found = self._find_server(match).events.get(int(match[2]))
        if found is None:
            raise RefusedRequest(404, 10070)
        return found

    async def _list_events(self, _request: Request, match: re.Match[str]) -> list[Json]:
        return list(self._find_server(match).events.values())

    async def _create_event(self, request: Request, match: re.Match[str]) -> Json:
        server, number = self._find_server(match), new_id()
        told = {
            "id": str(number),
            "guild_id": str(server.id),
            "channel_id": None,
            "creator_id": str(self.world.bot),
            "creator": self.world.user_json(self.world.bot, "canasta", bot=True),
            "status": SCHEDULED,
            "entity_id": None,
            "user_count": 0,
            **request.body,
        }
        server.events[number] = told
        await self.gateway.send_event("GUILD_SCHEDULED_EVENT_CREATE", told)
        return told

    async def _get_event(self, _request: Request, match: re.Match[str]) -> Json:
        return self._find_event(match)

    async def _change_event(self, request: Request, match: re.Match[str]) -> Json:
        found = self._find_event(match)
        found |= request.body
        await self.gateway.send_event("GUILD_SCHEDULED_EVENT_UPDATE", found)
        return found

    async def _delete_event(self, _request: Request, match: re.Match[str]) -> None:
        found = self._find_event(match)
        del self._find_server(match).events[int(match[2])]
        await self.gateway.send_event("GUILD_SCHEDULED_EVENT_DELETE", found)

    # --- emojis

    async def _list_emojis(self, _request: Request, _match: re.Match[str]) -> Json:
        return {"items": self.world.emojis}

    async def _create_emoji(self, request: Request, _match: re.Match[str]) -> Json:
        told = {"id": str(new_id()), "name": request.body["name"], "animated": False, "managed": False, "roles": []}
        made = {**told, "require_colons": True, "available": True}
        self.world.emojis.append(made)
        return made

    async def _delete_emoji(self, _request: Request, match: re.Match[str]) -> None:
        self.world.emojis[:] = [one for one in self.world.emojis if one["id"] != match[1]]
