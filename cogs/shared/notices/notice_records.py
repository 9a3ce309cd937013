"""Data that decides who is notified: preferences, contact state, quiet hours and sent notices.

Everything is stored here before a message is sent, so a crash cannot cause a second notice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final
from weakref import WeakValueDictionary

from bot.clocks.clock import MINUTE, Clock
from bot.clocks.quiet_hours_and_vacation import PersonalTimes
from bot.tables.people.notices import Contact, NoticePreferences, NoticeRepository, SentNotice
from bot.tables.state.snapshots import TableSnapshot
from cogs.shared.discord_api.discord_calls import CallTrouble
from cogs.shared.notices import turn_decisions
from cogs.shared.notices.turn_decisions import WAITING, AwaitedTurn, NoticeFacts
from cogs.shared.posting.edit_schedule import pause_after_failures

REPEATED_FOR: Final = 2 * MINUTE
"""How long after a crash the same notice may be sent again, in milliseconds.

Discord still knows its nonce then and makes no second message.
"""


@dataclass(frozen=True, slots=True)
class Reachability:
    """How and when a person can be notified now. Times are UTC milliseconds.

    See `cogs.shared.notices.turn_decisions.NoticeFacts`.
    """

    wishes: NoticePreferences
    contact: Contact
    now: int
    quiet_until: int | None
    not_before: int


class NoticeRecords:
    """Access to notice data, with one lock per person; one instance for the whole process.

    `tables` are the tables that have notices. `away_until` returns when the bot last came back.
    """

    def __init__(
        self, book: NoticeRepository, personal: PersonalTimes, clock: Clock, away_until: Callable[[], int]
    ) -> None:
        self.book = book
        self.clock = clock
        self.tables: set[int] = set()
        self._refused: dict[int, int] = {}
        self._personal = personal
        self._away_until = away_until
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def lock_of_person(self, person: int) -> asyncio.Lock:
        """Return the person's lock: hold it while deciding on a notice and while recording a mention."""
        return self._locks.setdefault(person, asyncio.Lock())

    async def stored_notice(self, table: int, person: int, about: str) -> SentNotice | None:
        """Return the stored notice of this event or turn (`about`) for the person, or None."""
        known = await self.book.notices_of_table(table)
        return next((one for one in known if (one.person, one.about) == (person, about)), None)

    def reset_if_interrupted(self, notice: SentNotice | None) -> SentNotice | None:
        """Return the notice, reset to waiting if a crash may have interrupted its sending.

        After `REPEATED_FOR` it counts as sent.
        """
        if notice is not None and notice.is_sending and self.clock.now() - notice.at < REPEATED_FOR:
            return replace(notice, stage=WAITING)
        return notice

    async def reachability(self, snapshot: TableSnapshot, person: int) -> Reachability:
        """Return how the person can be notified; fast tables have no daily limit of mentions."""
        now = self.clock.now()
        wishes, contact = await self.book.preferences(person), await self.book.contact(person)
        wishes = wishes if turn_decisions.is_slow_game(snapshot) else replace(wishes, pings=None)
        quiet = (await self._personal.hours_of(person)).end_of_quiet_hours(now)
        return Reachability(
            wishes, contact, now, quiet, turn_decisions.earliest_notice_time(snapshot.id, self._away_until())
        )

    async def build_notice_facts(
        self, snapshot: TableSnapshot, awaited: AwaitedTurn, notice: SentNotice | None
    ) -> NoticeFacts:
        """Return the data by which to decide whether to send a turn notice. Quiet hours count only at slow tables."""
        one = await self.reachability(snapshot, awaited.person)
        quiet = one.quiet_until if snapshot.settings.is_slow else None
        return NoticeFacts(
            awaited, self.reset_if_interrupted(notice), one.wishes, one.contact, one.now, quiet, one.not_before
        )

    async def store_notice(
        self,
        table: int,
        person: int,
        about: str,
        stage: str,
        *,
        channel: int | None = None,
        message: int | None = None,
        sent_at: int | None = None,
    ) -> None:
        """Store the notice with its stage; its time is now, or `sent_at`."""
        self.tables.add(table)
        then = self.clock.now() if sent_at is None else sent_at
        await self.book.store_notice(SentNotice(table, person, about, stage, channel, message, then))

    async def count_mention(self, snapshot: TableSnapshot, person: int) -> None:
        """Count one more mention of the person at a slow table. The caller holds the person's lock."""
        if not turn_decisions.is_slow_game(snapshot):
            return
        contact = await self.book.contact(person)
        await self.book.store_contact(person, contact.with_mention(self.clock.now()))

    # --- failed requests

    def retry_time(self, table: int, trouble: CallTrouble) -> int:
        """Return when to retry after a temporary failure (UTC milliseconds); the pause grows with each one."""
        self._refused[table] = self._refused.get(table, 0) + 1
        return self.clock.now() + pause_after_failures(trouble, self._refused[table])

    def reset_failures(self, table: int) -> None:
        """Reset the table's count of failures after a message was sent."""
        self._refused.pop(table, None)
