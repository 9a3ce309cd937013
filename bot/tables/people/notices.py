"""What persons were told of their tables, and how they wish to be told (`docs/long-games.md`, 5).

A notice is stored with what it is about, a turn or something else, so nobody is told anything twice. A contact says
when a person was last called and when they last did anything; what is called within a day counts towards the calls of
that day.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import asdict, astuple, dataclass, replace
from typing import Final

from bot.clocks.law import DAY
from bot.store.notices import NoticeRow
from bot.store.store import Store

REMEMBERED: Final = 5_000
"""Persons whose contacts are kept in memory."""


@dataclass(frozen=True, slots=True)
class SentNotice:
    """What a person was told of a table, when, and by which message.

    `about` is a turn (`<deal>.<turn>`), of which `stage` says how far its time had run, or the name of something else.
    `message` is None where none of its own stands; a `channel` without one is where it is being sent.
    """

    table: int
    person: int
    about: str
    stage: str
    channel: int | None
    message: int | None
    at: int

    @property
    def sending(self) -> bool:
        """Whether the message was being sent when that was noted."""
        return self.channel is not None and self.message is None


@dataclass(frozen=True, slots=True)
class Contact:
    """When a person was called (`pings`, those of the last day) and last did anything (`seen`), UTC milliseconds.

    `closed` is when a direct message was refused, `digest` when the last digest went out; 0 is never.
    """

    seen: int = 0
    closed: int = 0
    digest: int = 0
    pings: tuple[int, ...] = ()

    @property
    def last_ping(self) -> int:
        """When the person was last called; 0 for never."""
        return max(self.pings, default=0)

    @property
    def unseen(self) -> bool:
        """Whether the person has done nothing since the last call."""
        return self.last_ping > self.seen

    @property
    def shut(self) -> bool:
        """Whether direct messages are refused, as far as is known."""
        return self.closed > self.seen

    def called(self, now: int) -> Contact:
        """After one more call."""
        return replace(self, pings=(*(one for one in self.pings if one > now - DAY), now))

    def calls(self, now: int) -> int:
        """How often the person was called in the last day."""
        return sum(one > now - DAY for one in self.pings)


@dataclass(frozen=True, slots=True)
class NoticePreferences:
    """How a person wishes to be told.

    `notices` come in the thread, as a direct message (dm) or not at all (none); `reminders` both, the last one or none;
    at most `pings` calls a day, None for as many as there are. `language` is a locale, empty for Discord's.
    """

    notices: str = "thread"
    reminders: str = "both"
    pings: int | None = 12
    language: str = ""


def wishes_of(stored: Mapping[str, str]) -> NoticePreferences:
    """The wishes among what a person has chosen."""
    pings, language = stored.get("pings", "12"), stored.get("language", "")
    return NoticePreferences(
        stored.get("notices", "thread"),
        stored.get("reminders", "both"),
        int(pings) if pings.isdecimal() else None,
        "" if language == "discord" else language,
    )


class NoticeRepository:
    """What is known of notices; one for the whole process, and the only writer of contacts."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._contacts: OrderedDict[int, Contact] = OrderedDict()

    async def of_table(self, table: int) -> tuple[SentNotice, ...]:
        """What persons were told of the table."""
        return tuple(SentNotice(*astuple(row)) for row in await self._store.notices.at_table(table))

    async def of_person(self, person: int) -> tuple[SentNotice, ...]:
        """What the person was told, by table."""
        return tuple(SentNotice(*astuple(row)) for row in await self._store.notices.of_person(person))

    async def keep(self, notice: SentNotice) -> None:
        """Note what a person was told, in place of what was noted of the very matter before."""
        await self._store.notices.set(NoticeRow(*astuple(notice)))

    async def drop(self, notice: SentNotice) -> None:
        """Note that nothing is told any more."""
        await self._store.notices.clear(notice.table, notice.person, notice.about)

    async def tables(self) -> tuple[int, ...]:
        """Tables of which somebody was told something else than the end of their game."""
        return await self._store.notices.tables()

    async def sending(self) -> tuple[int, ...]:
        """Tables of which a notice was being sent when that was noted."""
        return await self._store.notices.sending()

    async def clocked(self) -> tuple[int, ...]:
        """Tables where somebody's clock runs."""
        return await self._store.times.clocked()

    async def wishes(self, person: int) -> NoticePreferences:
        """How the person wishes to be told."""
        return wishes_of(await self._store.preferences.load("person", person))

    async def digests(self) -> Mapping[int, int]:
        """Who wishes a digest, and at which hour of their day."""
        chosen = await self._store.preferences.chosen("person", "digest")
        return {person: int(value) for person, value in chosen.items() if value.isdecimal()}

    async def zone(self, person: int) -> str:
        """The time zone that the person has chosen; empty where none was."""
        return (await self._store.preferences.load("person", person)).get("zone", "")

    def remembered(self, person: int) -> Contact | None:
        """What is remembered of the person without asking."""
        return self._contacts.get(person)

    async def contact(self, person: int) -> Contact:
        """When the person was called, and last did anything."""
        if person not in self._contacts:
            text = await self._store.notices.contact(person)
            # What was noted while the answer was on its way is newer than the answer.
            if person not in self._contacts:
                self._remember(person, _read(text))
        self._contacts.move_to_end(person)
        return self._contacts[person]

    async def keep_contact(self, person: int, contact: Contact) -> None:
        """Note when the person was called, or did anything."""
        self._remember(person, contact)
        await self._store.notices.set_contact(person, json.dumps(asdict(contact), separators=(",", ":")))

    async def forget(self, person: int) -> None:
        """Remember nothing of the person any more."""
        self._contacts.pop(person, None)

    def _remember(self, person: int, contact: Contact) -> None:
        self._contacts[person] = contact
        if len(self._contacts) > REMEMBERED:
            self._contacts.popitem(last=False)


def _read(text: str | None) -> Contact:
    if text is None:
        return Contact()
    data = json.loads(text)
    return Contact(data["seen"], data["closed"], data["digest"], tuple(data["pings"]))
