"""The register: what is known of notices and of persons while it is decided who is told what.

All that is noted goes through the register, so that it is stored before anything is sent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final
from weakref import WeakValueDictionary

from bot.clocks.clock import MINUTE, Clock
from bot.clocks.personal import PersonalTimes
from bot.tables.people.notices import Contact, NoticePreferences, NoticeRepository, SentNotice
from bot.tables.state.snapshots import TableSnapshot
from cogs.shared.door.calls import Trouble
from cogs.shared.notices import decisions
from cogs.shared.notices.decisions import WAITING, Case, Owed
from cogs.shared.posting.schedule import pause_after

REPEATED_FOR: Final = 2 * MINUTE
"""How long after a crash a notice is sent again: Discord still knows its nonce then. Milliseconds."""


@dataclass(frozen=True, slots=True)
class Reachability:
    """How a person can be told now: see `cogs.shared.notices.decisions.Case`."""

    wishes: NoticePreferences
    contact: Contact
    now: int
    quiet_until: int | None
    not_before: int


class NoticeContacts:
    """One for the whole process. `tables` have notices; `away_until` is when the bot last came back."""

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

    def lock(self, person: int) -> asyncio.Lock:
        """Held while it is decided what a person is told, and when the person was called."""
        return self._locks.setdefault(person, asyncio.Lock())

    async def notice(self, table: int, person: int, about: str) -> SentNotice | None:
        """What the person was told of that matter."""
        known = await self.book.of_table(table)
        return next((one for one in known if (one.person, one.about) == (person, about)), None)

    def as_sent(self, notice: SentNotice | None) -> SentNotice | None:
        """The notice; one that a crash may have cut off counts as not sent, for as long as it can be sent again."""
        if notice is not None and notice.sending and self.clock.now() - notice.at < REPEATED_FOR:
            return replace(notice, stage=WAITING)
        return notice

    async def hearing(self, look: TableSnapshot, person: int) -> Reachability:
        """How the person can be told of something at the table; as often as may be where turns do not take hours."""
        now = self.clock.now()
        wishes, contact = await self.book.wishes(person), await self.book.contact(person)
        wishes = wishes if decisions.is_tended(look) else replace(wishes, pings=None)
        quiet = (await self._personal.of(person)).quiet_now(now)
        return Reachability(wishes, contact, now, quiet, decisions.after_absence(look.id, self._away_until()))

    async def case(self, look: TableSnapshot, debt: Owed, notice: SentNotice | None) -> Case:
        """All that decides whether the person is told of a turn; quiet hours matter at slow tables."""
        one = await self.hearing(look, debt.person)
        quiet = one.quiet_until if look.settings.slow else None
        return Case(debt, self.as_sent(notice), one.wishes, one.contact, one.now, quiet, one.not_before)

    async def keep(
        self,
        table: int,
        person: int,
        about: str,
        stage: str,
        *,
        channel: int | None = None,
        message: int | None = None,
        at: int | None = None,
    ) -> None:
        """Note what the person was told of that matter, now or `at` another instant."""
        self.tables.add(table)
        then = self.clock.now() if at is None else at
        await self.book.keep(SentNotice(table, person, about, stage, channel, message, then))

    async def count(self, look: TableSnapshot, person: int) -> None:
        """The person has been called once more, where that counts; with the lock of that person."""
        if not decisions.is_tended(look):
            return
        contact = await self.book.contact(person)
        await self.book.keep_contact(person, contact.called(self.clock.now()))

    # --- what Discord did not take

    def try_again(self, table: int, trouble: Trouble) -> int:
        """The instant at which to try again what passes by itself."""
        self._refused[table] = self._refused.get(table, 0) + 1
        return self.clock.now() + pause_after(trouble, self._refused[table])

    def succeeded(self, table: int) -> None:
        """Something was sent: the next refusal is the first one."""
        self._refused.pop(table, None)
