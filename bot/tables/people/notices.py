"""Notices sent to people about their tables, and how they want to be notified.

Source: `docs/long-games.md`, 5. A notice is stored with its subject, such as a turn, so that no one is notified twice.
A contact stores when a person was last mentioned and last acted; the mentions of the last day count towards the
person's daily limit.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, astuple, dataclass, replace
from typing import Final

from bot.clocks.clock import HOUR
from bot.clocks.time_rules import DAY, Stage
from bot.numbered_cache import NumberedCache
from bot.store.notices import NoticeRow
from bot.store.store import Store

REMEMBERED: Final = 5_000
"""Number of people whose contacts are cached."""


@dataclass(frozen=True, slots=True)
class SentNotice:
    """A notice sent to a person about a table: its subject, its time, and its message.

    `about` is a turn (`<deal>.<turn>`), for which `stage` says how much time was used, or the name of another subject.
    `message` is None if the notice has no message of its own. If it has a `channel` but no message, it is still being
    sent there.
    """

    table: int
    person: int
    about: str
    stage: str
    channel: int | None
    message: int | None
    at: int

    @property
    def is_sending(self) -> bool:
        """Whether the message was still being sent when this was stored."""
        return self.channel is not None and self.message is None


STAGES: Final = frozenset({"waiting", "calling", *(stage.value for stage in Stage)})
"""The stages of a notice: still to be sent, being posted with the board, or one of a turn's stages."""

RENEWED_AFTER: Final = HOUR
"""Minimum age of the stored `seen` instant before it is stored again."""


@dataclass(frozen=True, slots=True)
class Contact:
    """The times when a person was last mentioned (`pings`, of one day) and last acted (`seen`).

    `closed` is when a direct message was refused, `digest` when the last digest was sent. All are UTC milliseconds; 0
    is never.
    """

    seen: int = 0
    closed: int = 0
    digest: int = 0
    pings: tuple[int, ...] = ()

    @property
    def last_ping(self) -> int:
        """The time of the last mention; 0 for never."""
        return max(self.pings, default=0)

    @property
    def is_waiting_for_reaction(self) -> bool:
        """Whether the person has done nothing since the last mention."""
        return self.last_ping > self.seen

    @property
    def refuses_messages(self) -> bool:
        """Whether the person is known to refuse direct messages."""
        return self.closed > self.seen

    def must_store_use(self, now: int) -> bool:
        """Return whether to store that the person used the bot at `now`."""
        return self.is_waiting_for_reaction or self.refuses_messages or now - self.seen > RENEWED_AFTER

    def with_mention(self, now: int) -> Contact:
        """Return the contact with one more mention, made now."""
        return replace(self, pings=(*(one for one in self.pings if one > now - DAY), now))

    def count_recent_mentions(self, now: int) -> int:
        """Return how many times the person was mentioned in the day before `now`."""
        return sum(one > now - DAY for one in self.pings)


@dataclass(frozen=True, slots=True)
class NoticePreferences:
    """A person's preferences for notices.

    `notices` come in the thread, as a direct message (dm) or not at all (none); `reminders` are both, the last one or
    none; `pings` limits the mentions per day, None means no limit. `language` is a locale, empty for Discord's.
    `mentioned` tells whether a direct message that fails becomes a mention.
    """

    notices: str = "thread"
    reminders: str = "both"
    pings: int | None = 12
    language: str = ""
    mentioned: bool = True


_HOURS: Final = frozenset(str(hour) for hour in range(24))


def notice_preferences_of(stored: Mapping[str, str]) -> NoticePreferences:
    """Return the notice preferences among a person's stored preferences."""
    pings, language = stored.get("pings", "12"), stored.get("language", "")
    return NoticePreferences(
        stored.get("notices", "thread"),
        stored.get("reminders", "both"),
        int(pings) if pings.isdecimal() else None,
        "" if language == "discord" else language,
        mentioned=stored.get("fallback", "mention") == "mention",
    )


class NoticeRepository:
    """Stores notices and contacts; one for the whole process."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._contacts = NumberedCache(REMEMBERED, self._load_contact)

    async def notices_of_table(self, table: int) -> tuple[SentNotice, ...]:
        """Return the notices sent about the table."""
        return tuple(self._notice_of(row) for row in await self._store.notices.notices_at_table(table))

    async def notices_of_person(self, person: int) -> tuple[SentNotice, ...]:
        """Return the notices sent to the person, by table."""
        return tuple(self._notice_of(row) for row in await self._store.notices.notices_of_person(person))

    def _notice_of(self, row: NoticeRow) -> SentNotice:
        """Return the notice in a stored row.

        An unreadable notice counts as sent, so that people are not called twice.
        """
        if row.stage in STAGES:
            return SentNotice(*astuple(row))
        self._store.set_aside.note("notice", row.table, "unknown stage", table=row.table)
        return SentNotice(row.table, row.person, row.about, Stage.LAPSED.value, None, None, row.at)

    async def store_notice(self, notice: SentNotice) -> None:
        """Store a notice, replacing the person's earlier one of the same subject."""
        await self._store.notices.set_notice(NoticeRow(*astuple(notice)))

    async def delete_notice(self, notice: SentNotice) -> None:
        """Delete a stored notice."""
        await self._store.notices.clear_notice(notice.table, notice.person, notice.about)

    async def tables_with_notices(self) -> tuple[int, ...]:
        """Return the tables with notices other than those of the end of a game."""
        return await self._store.notices.tables_with_notices()

    async def tables_with_notice_being_sent(self) -> tuple[int, ...]:
        """Return the tables with notices that were still being sent when stored."""
        return await self._store.notices.tables_sending_notices()

    async def tables_with_clock(self) -> tuple[int, ...]:
        """Return the tables where a clock runs."""
        return await self._store.times.tables_with_clock()

    async def preferences(self, person: int) -> NoticePreferences:
        """Return how the person wants to be notified."""
        return notice_preferences_of(await self._store.preferences.load("person", person))

    async def digest_hour_by_person(self) -> Mapping[int, int]:
        """Return for each person who wants a daily digest the hour at which they want it."""
        chosen = await self._store.preferences.choices_by_owner("person", "digest")
        return {person: int(value) for person, value in chosen.items() if value in _HOURS}

    async def time_zone(self, person: int) -> str:
        """Return the person's chosen time zone; empty if none."""
        return (await self._store.preferences.load("person", person)).get("zone", "")

    async def direct_channel(self, person: int) -> int | None:
        """Return the channel of the person's direct messages with the bot, if one is known."""
        return await self._store.rooms.load_channel(person)

    async def store_direct_channel(self, person: int, channel: int, at: int) -> None:
        """Store the channel of the person's direct messages, opened at the instant `at`."""
        await self._store.rooms.set_channel(person, channel, at)

    async def drop_direct_channel(self, person: int) -> None:
        """Delete the stored channel of the person's direct messages, which cannot be used any more."""
        await self._store.rooms.drop_channel(person)

    def cached_contact_times(self, person: int) -> Contact | None:
        """Return when the person was last mentioned and last acted, if that is cached."""
        return self._contacts.peek(person)

    async def contact(self, person: int) -> Contact:
        """Return when the person was last mentioned and last acted."""
        return await self._contacts.get(person)

    async def _load_contact(self, person: int) -> Contact:
        """Return the person's stored contact; an empty one if it is missing or cannot be read."""
        text = await self._store.notices.contact_times(person)
        try:
            return contact_of(text)
        except (ValueError, TypeError, KeyError) as error:
            self._store.set_aside.note("contact", person, type(error).__name__)
            return Contact()

    async def last_seen(self, person: int) -> int:
        """Return when the person last used the bot, to within an hour; 0 if that is not known."""
        return (await self.contact(person)).seen

    async def record_bot_use(self, person: int, now: int) -> bool:
        """Store that the person uses the bot now; return whether this may allow notices that were held back.

        That is so after a mention that the person had not reacted to, and after a refused direct message. The instant
        is stored about once an hour.

        The caller makes sure that no other task changes the contact meanwhile.
        """
        contact = await self.contact(person)
        if contact.must_store_use(now):
            await self.store_contact(person, replace(contact, seen=now))
        return contact.is_waiting_for_reaction or contact.refuses_messages

    async def store_contact(self, person: int, contact: Contact) -> None:
        """Store when the person was mentioned, or acted.

        Times that another process has stored are never set back.
        """
        self._contacts.put(person, contact)
        if self._store.shards.is_whole:
            await self._store.notices.set_contact_times(person, _contact_text(contact))
        else:
            merged = await self._store.notices.merge_contact_times(person, _contact_text(contact), _merge_contacts)
            self._contacts.put(person, contact_of(merged))

    async def forget(self, person: int) -> None:
        """Evict the contact of a person who has been deleted."""
        self._contacts.evict(person)

    def evict(self, person: int | None) -> None:
        """Evict a person's contact, which another process has changed; None evicts all."""
        self._contacts.evict_one_or_all(person)


def _contact_text(contact: Contact) -> str:
    """Return a contact as it is stored."""
    return json.dumps(asdict(contact), separators=(",", ":"))


def _merge_contacts(stored: str, new: str) -> str:
    """Return a contact with the later instant and all mentions of the two contacts.

    A damaged stored one is replaced.
    """
    latest = contact_of(new)
    try:
        other = contact_of(stored)
    except (ValueError, TypeError, KeyError):
        return new
    return _contact_text(
        Contact(
            max(latest.seen, other.seen),
            max(latest.closed, other.closed),
            max(latest.digest, other.digest),
            tuple(sorted({*latest.pings, *(one for one in other.pings if one > latest.last_ping - DAY)})),
        )
    )


def contact_of(text: str | None) -> Contact:
    """Parse a stored contact. Raises `ValueError`, `TypeError` or `KeyError` if the text is damaged."""
    if text is None:
        return Contact()
    data = json.loads(text)
    if data.keys() != {"seen", "closed", "digest", "pings"}:
        raise ValueError("other fields")
    found = Contact(data["seen"], data["closed"], data["digest"], tuple(data["pings"]))
    if any(type(one) is not int for one in (found.seen, found.closed, found.digest, *found.pings)):
        raise ValueError("no number")
    return found
