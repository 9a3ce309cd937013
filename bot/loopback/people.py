"""People of the local Discord, who use commands, buttons and menus and receive answers."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.loopback.interactions import Interaction
from bot.loopback.rest import RestServer
from bot.loopback.world import Channel, Json, new_id

SECONDS_TO_COMPLETE = 60.0

OPTION_TYPES = {str: 3, int: 4, bool: 5}


@dataclass(slots=True)
class Person:
    """A member of a server in one of its channels, or in direct messages.

    `done` lists all interactions of the person.
    """

    rest: RestServer
    channel: Channel
    name: str
    id: int = field(default_factory=new_id)
    done: list[Interaction] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.channel.guild:
            self.rest.world.servers[self.channel.guild].members[self.id] = self.name

    def with_channel(self, channel: Channel) -> Person:
        """Return the same person in another channel, a thread or direct messages."""
        return Person(self.rest, channel, self.name, self.id, self.done)

    async def use_command(self, command: str, /, **options: Any) -> Interaction:
        """Use a command ("name" or "group name"), and return the interaction once the bot has answered it."""
        name, _, inner = command.partition(" ")
        known = next(one for one in self.rest.world.commands if one["name"] == name)
        given: list[Json] = [
            {"name": option, "type": OPTION_TYPES[type(value)], "value": value} for option, value in options.items()
        ]
        if inner:
            given = [{"name": inner, "type": 1, "options": given}]
        data = {"id": known["id"], "name": name, "type": 1, "options": given}
        return await self._send_interaction(2, data, f"/{command}")

    async def use_control(self, message: Json, control: Json, values: Sequence[str] = ()) -> Interaction:
        """Click a button or choose in a menu, and return the interaction once the bot has answered it."""
        data: Json = {"custom_id": control["custom_id"], "component_type": control["type"], "id": control["id"]}
        if values:
            data["values"] = list(values)
        return await self._send_interaction(3, data, str(control["custom_id"]), message)

    async def submit_form(self, opened: Interaction, text: str) -> Interaction:
        """Type a text into the only field of the form that an interaction opened, and submit it.

        Return the new interaction once the bot has answered.
        """
        form = opened.form or {}
        (label,) = form["components"]
        field = {"type": 4, "id": 2, "custom_id": label["component"]["custom_id"], "value": text}
        data: Json = {"custom_id": form["custom_id"], "components": [{"type": 18, "id": 1, "component": field}]}
        return await self._send_interaction(5, data, str(form["custom_id"]), opened.used)

    async def _send_interaction(self, kind: int, data: Json, what: str, used: Json | None = None) -> Interaction:
        """Send an interaction to the bot, and return it once the bot has answered.

        It also returns if the first answer is late or lost; Discord then shows the person that the interaction failed.
        """
        one = Interaction(self.id, self.channel.id, used, what)
        self.rest.interactions[one.token] = one
        self.done.append(one)
        await self.rest.gateway.send_event("INTERACTION_CREATE", self._gateway_event(one, kind, data))
        await asyncio.wait_for(one.complete.wait(), SECONDS_TO_COMPLETE)
        return one

    def _gateway_event(self, interaction: Interaction, kind: int, data: Json) -> Json:
        """Return the interaction as the gateway sends it."""
        world = self.rest.world
        told: Json = {
            "id": str(interaction.id),
            "application_id": str(world.bot),
            "type": kind,
            "token": interaction.token,
            "version": 1,
            "data": data,
            "channel_id": str(self.channel.id),
            "channel": self.channel.json(),
            "locale": world.locale,
            "app_permissions": str(self.channel.permissions),
            "entitlements": [],
            "authorizing_integration_owners": {"0": str(self.channel.guild)},
            "attachment_size_limit": 10 * 2**20,
        }
        guild = self.channel.guild
        if guild:
            server = {"id": str(guild), "features": [], "locale": world.locale}
            told |= {"guild_id": str(guild), "guild": server, "guild_locale": world.locale, "context": 0}
            told["member"] = world.member_json(self.id, self.name)
        else:
            told |= {"user": world.user_json(self.id, self.name), "context": 1}
        return told if interaction.used is None else {**told, "message": interaction.used}
