"""The data of the local Discord: servers with their channels, people and messages.

They are given as JSON in the shapes of Discord's API.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

Json: TypeAlias = dict[str, Any]

EPOCH: Final = 1_420_070_400_000
EPHEMERAL: Final = 64
COMPONENTS: Final = 1 << 15
LOADING: Final = 128

EVERYTHING: Final = (1 << 53) - 1
ADMINISTRATOR: Final = 1 << 3
VIEW: Final = 1 << 10
SEND: Final = 1 << 11
OPEN_THREADS: Final = 1 << 35
IN_THREADS: Final = 1 << 38
WITHOUT_THREADS: Final = EVERYTHING & ~OPEN_THREADS

TEXT: Final = 0
DIRECT: Final = 1
THREAD: Final = 11
PRIVATE_THREAD: Final = 12

_serial = itertools.count()


def new_id() -> int:
    """Return a new Discord id for the current time, higher than all earlier ids."""
    return ((time.time_ns() // 1_000_000 - EPOCH) << 22) + next(_serial) % (1 << 22)


def current_timestamp() -> str:
    """Return the current time in Discord's format."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime()) + ".000000+00:00"


@dataclass(slots=True)
class Channel:
    """A text channel, thread or direct message, with the bot's permissions in it.

    `guild` is 0 for direct messages.
    """

    id: int
    name: str
    guild: int
    permissions: int = EVERYTHING
    kind: int = TEXT
    parent: int | None = None
    recipient: int = 0
    owner: int = 0
    archived: bool = False
    members: set[int] = field(default_factory=set)
    messages: dict[int, Json] = field(default_factory=dict)

    @property
    def may_post(self) -> bool:
        """Return whether the bot may post in this channel."""
        needed = VIEW | (SEND if self.parent is None else IN_THREADS)
        return self.permissions & needed == needed

    def json(self) -> Json:
        """Return the channel as JSON in Discord's format."""
        last = next(reversed(self.messages), None)
        last_id = None if last is None else str(last)
        if self.kind == DIRECT:
            person = {"id": str(self.recipient), "username": self.name, "discriminator": "0", "avatar": None}
            return {"id": str(self.id), "type": DIRECT, "last_message_id": last_id, "recipients": [person], "flags": 0}
        denied = EVERYTHING & ~self.permissions
        everyone = {"id": str(self.guild), "type": 0, "allow": "0", "deny": str(denied)}
        told: Json = {
            "id": str(self.id),
            "name": self.name,
            "guild_id": str(self.guild),
            "type": self.kind,
            "position": 0,
            "permission_overwrites": [everyone] if denied else [],
            "parent_id": None if self.parent is None else str(self.parent),
            "last_message_id": last_id,
            "nsfw": False,
            "flags": 0,
        }
        if self.parent is not None:
            told |= {
                "owner_id": str(self.owner),
                "message_count": 0,
                "member_count": len(self.members),
                "thread_metadata": {
                    "archived": self.archived,
                    "auto_archive_duration": 10080,
                    "archive_timestamp": current_timestamp(),
                    "locked": False,
                },
            }
        return told


@dataclass(slots=True)
class Server:
    """A Discord server: the names of its members, and its scheduled events by id."""

    id: int
    name: str
    members: dict[int, str] = field(default_factory=dict)
    events: dict[int, Json] = field(default_factory=dict)


@dataclass(slots=True)
class World:
    """Servers with their channels, members and messages; `guild` is the first server."""

    locale: str = "en-US"
    bot: int = field(default_factory=new_id)
    guild: int = field(default_factory=new_id)
    servers: dict[int, Server] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)
    commands: list[Json] = field(default_factory=list)
    emojis: list[Json] = field(default_factory=list)
    private: dict[int, Json] = field(default_factory=dict)
    """Ephemeral messages."""
    nonces: dict[tuple[int, str], int] = field(default_factory=dict)
    closed: dict[int, int] = field(default_factory=dict)
    """People who take no direct messages, and the code with which Discord refuses them (50007 or 50278)."""
    openings: int = 0
    """Direct message channels that the bot has opened."""
    opening_refused: tuple[int, int] | None = None
    """Code with which direct messages are refused (40003, 20026 or 40004), and how many openings come before."""
    starts: Json = field(
        default_factory=lambda: {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}
    )
    """The `session_start_limit`; each identify takes one."""

    def __post_init__(self) -> None:
        self.servers[self.guild] = Server(self.guild, "Card Club")

    def add_server(self, name: str) -> Server:
        """Create a further server; it must be done before the bot connects."""
        made = Server(new_id(), name)
        self.servers[made.id] = made
        return made

    def add_channel(self, name: str, permissions: int = EVERYTHING, server: Server | None = None) -> Channel:
        """Create a text channel in `server`, by default in the first server."""
        made = Channel(new_id(), name, self.guild if server is None else server.id, permissions)
        self.channels[made.id] = made
        return made

    def add_thread(self, parent: Channel, message: int, name: str, *, kind: int = THREAD) -> Channel:
        """Create a thread in a channel; its id is that of its message if it has one."""
        made = Channel(message, name, parent.guild, parent.permissions, kind, parent=parent.id, owner=self.bot)
        made.members.add(self.bot)
        self.channels[made.id] = made
        return made

    def direct_messages(self, person: int) -> Channel:
        """Return the channel of direct messages with a person, created if needed."""
        known = next((one for one in self.channels.values() if one.recipient == person), None)
        if known is not None:
            return known
        name = next((one.members[person] for one in self.servers.values() if person in one.members), "somebody")
        made = Channel(new_id(), name, 0, kind=DIRECT, recipient=person)
        self.channels[made.id] = made
        return made

    @property
    def threads(self) -> list[Channel]:
        """Return all threads, oldest first."""
        return [one for one in self.channels.values() if one.parent is not None]

    def make_message(self, channel: int, body: Json, files: list[Json], **more: Any) -> Json:
        """Return a new message of the bot in Discord's format, without storing it in a channel."""
        number = new_id()
        return {
            "id": str(number),
            "channel_id": str(channel),
            "author": self.user_json(self.bot, "canasta", bot=True),
            "content": body.get("content") or "",
            "timestamp": current_timestamp(),
            "edited_timestamp": None,
            "tts": False,
            "mention_everyone": False,
            "mentions": [],
            "mention_roles": [],
            "attachments": attachments_json(body, files),
            "embeds": [],
            "pinned": False,
            "type": 0,
            "flags": body.get("flags", 0),
            "components": with_component_ids(body.get("components") or []),
            "allowed": body.get("allowed_mentions") or {},
            **more,
        }

    def edit_message(self, message: Json, body: Json, files: list[Json]) -> Json:
        """Change a message of the bot as the body of a request says."""
        if body.get("components") is not None:
            message["components"] = with_component_ids(body["components"])
        if "attachments" in body:
            message["attachments"] = attachments_json(body, files)
        message["flags"] = (message["flags"] | body.get("flags", 0)) & ~LOADING
        message["edited_timestamp"] = current_timestamp()
        return message

    def user_json(self, number: int, name: str, *, bot: bool = False) -> Json:
        """Return an account in Discord's format."""
        told = {"id": str(number), "username": name, "global_name": name, "discriminator": "0", "avatar": None}
        return {**told, "bot": bot, "public_flags": 0}

    def member_json(self, number: int, name: str, *, bot: bool = False) -> Json:
        """Return a server member in Discord's format."""
        return {
            "user": self.user_json(number, name, bot=bot),
            "roles": [],
            "permissions": str(EVERYTHING if bot else WITHOUT_THREADS & ~ADMINISTRATOR),
            "joined_at": current_timestamp(),
            "deaf": False,
            "mute": False,
            "flags": 0,
            "nick": None,
            "avatar": None,
        }

    def server_json(self, server: Server) -> Json:
        """Return a server as the gateway sends it."""
        channels = [one for one in self.channels.values() if one.guild == server.id]
        everyone: Json = {
            "id": str(server.id),
            "name": "@everyone",
            "color": 0,
            "hoist": False,
            "position": 0,
            "permissions": str(EVERYTHING & ~ADMINISTRATOR),
            "managed": False,
            "mentionable": False,
            "flags": 0,
        }
        lists = ("emojis", "stickers", "presences", "voice_states", "stage_instances")
        numbers = ("verification_level", "default_message_notifications", "explicit_content_filter", "mfa_level")
        return {
            "id": str(server.id),
            "name": server.name,
            "owner_id": "1",
            "roles": [everyone],
            "channels": [one.json() for one in channels if one.parent is None],
            "threads": [one.json() for one in channels if one.parent is not None and not one.archived],
            "members": [self.member_json(self.bot, "canasta", bot=True)],
            "soundboard_sounds": [],
            **{name: [] for name in lists},
            "guild_scheduled_events": list(server.events.values()),
            **dict.fromkeys(numbers, 0),
            "features": [],
            "preferred_locale": self.locale,
            "nsfw_level": 0,
            "premium_tier": 0,
            "premium_progress_bar_enabled": False,
            "system_channel_flags": 0,
            "afk_timeout": 300,
            "large": False,
            "unavailable": False,
            "member_count": 1 + len(server.members),
        }


def attachments_json(body: Json, files: list[Json]) -> list[Json]:
    """Return the files of a message as attachments in Discord's format."""
    told = {str(one["id"]): one for one in body.get("attachments") or []}
    return [
        {
            **one,
            "description": told.get(str(number), {}).get("description"),
            "url": f"http://127.0.0.1/cdn/{one['filename']}",
            "proxy_url": f"http://127.0.0.1/cdn/{one['filename']}",
        }
        for number, one in enumerate(files)
    ]


def with_component_ids(components: list[Json]) -> list[Json]:
    """Return components as Discord sends them back: each with an id, pictures with a URL."""
    counter = itertools.count(1)

    def component_as_sent(component: Json) -> Json:
        made = {"id": next(counter), **component}
        if "components" in component:
            made["components"] = [component_as_sent(inner) for inner in component["components"]]
        if "accessory" in component:
            made["accessory"] = component_as_sent(component["accessory"])
        if "items" in component:
            made["items"] = [{**item, "media": _media_json(item["media"])} for item in component["items"]]
        return made

    return [component_as_sent(one) for one in components]


def _media_json(media: Json) -> Json:
    address = str(media["url"]).replace("attachment://", "http://127.0.0.1/cdn/")
    return {"url": address, "proxy_url": address, "width": 1, "height": 1, "content_type": "image/png"}


def all_components(components: list[Json]) -> Iterator[Json]:
    """Yield every component of a message, outer components before those inside them."""
    for one in components:
        yield one
        yield from all_components(one.get("components", []))
        yield from all_components([one["accessory"]] if "accessory" in one else [])
