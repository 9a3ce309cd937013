"""Notify persons of table events other than turns, each event once.

One message mentions all persons notified of the same event at the same time. A notice is stored with its time before
the message is sent, so after a crash the same message is sent again for a while.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from hashlib import blake2b
from typing import Final, TypeAlias

import discord

from bot.clocks.time_rules import Stage
from bot.tables.people.notices import SentNotice
from bot.tables.state.snapshots import TableSnapshot
from cogs.shared.discord_api import table_places
from cogs.shared.discord_api.discord_calls import FailedCall
from cogs.shared.notices.event_notices import NoticeKind, PendingNotice
from cogs.shared.notices.event_texts import event_page
from cogs.shared.notices.notice_records import NoticeRecords, Reachability
from cogs.shared.notices.sender import Sender, TurnNoticeSender
from cogs.shared.notices.turn_decisions import WAITING, CheckLater, Delivery, NotifyNow, SkipNotice
from cogs.shared.posting.edit_schedule import PASSING
from cogs.shared.reading.custom_ids import LONGEST_NONCE

TOLD: Final = Stage.RUNNING
"""The stage of every event notice that was handled: events have no other stage."""

RESULTS: Final = frozenset(
    {NoticeKind.OVER, NoticeKind.CLOSED, NoticeKind.GIVEN, NoticeKind.BACK, NoticeKind.UNOPPOSED}
)
"""Events that report a person's action; all others happen automatically or ask for a decision."""

_Calls: TypeAlias = dict[tuple[str, int], list[PendingNotice]]
"""Persons to mention, by event name and time of the message."""


def decide_event_notice(notice: PendingNotice, person: Reachability) -> CheckLater | SkipNotice | NotifyNow:
    """Return whether to notify the person of an event now, later or never."""
    if person.wishes.notices == "none" or (notice.directly and person.contact.refuses_messages):
        return SkipNotice(TOLD)
    waits = max(person.quiet_until or 0, person.not_before)
    if waits > person.now:
        return CheckLater(waits)
    limit = person.wishes.pings
    if limit is not None and person.contact.count_recent_mentions(person.now) >= limit:
        return SkipNotice(TOLD)
    message = notice.directly or (person.wishes.notices == "dm" and not person.contact.refuses_messages)
    return NotifyNow(TOLD, Delivery.MESSAGE if message else Delivery.MENTION)


class EventNotifier:
    """Sends notices of events other than turns; one for the whole process."""

    def __init__(self, register: NoticeRecords, teller: TurnNoticeSender, sender: Sender) -> None:
        self._contacts = register
        self._writer = teller
        self._sender = sender

    async def send_due_notices(
        self,
        snapshot: TableSnapshot,
        pending: Iterable[PendingNotice],
        notices: Iterable[SentNotice],
        authors: Collection[int] = (),
    ) -> list[int]:
        """Send the due notices of a table and return the times to check again (UTC milliseconds).

        `pending` are all its event notices, `notices` those already stored. If one of the `authors` has just caused a
        result (such as the end of a game), that person's notice is stored as sent without a message.
        """
        known, now = {(one.person, one.about): one for one in notices}, self._contacts.clock.now()
        later: list[int] = []
        calls: _Calls = {}
        for matter in pending:
            notice = self._contacts.reset_if_interrupted(known.get((matter.person, matter.about)))
            if not matter.needed or (notice is not None and notice.stage != WAITING):
                continue
            if notice is None and matter.person in authors and matter.kind in RESULTS:
                await self._store_notice(snapshot, matter, TOLD)
                continue
            async with self._contacts.lock_of_person(matter.person):
                waits = await self._handle_notice(snapshot, matter, notice, calls, now=now)
            later += [] if waits is None else [waits]
        for (_, at), called in calls.items():
            waits = await self._send_mention(snapshot, called, at)
            later += [] if waits is None else [waits]
        return later

    async def _handle_notice(
        self,
        snapshot: TableSnapshot,
        pending: PendingNotice,
        stored_notice: SentNotice | None,
        calls: _Calls,
        *,
        now: int,
    ) -> int | None:
        """Decide on one notice and store what was decided; return when to check again, or None.

        A direct message is sent at once. A person to mention is added to `calls`, under the event and the time `now`,
        so that one message can mention several.
        """
        hearing = await self._contacts.reachability(snapshot, pending.person)
        decision = decide_event_notice(pending, hearing)
        if isinstance(decision, CheckLater):
            await self._store_notice(snapshot, pending, WAITING)
            return decision.at
        if isinstance(decision, SkipNotice) or await self._writer.has_left(snapshot, pending.person):
            await self._store_notice(snapshot, pending, TOLD)
            return None
        at = stored_notice.at if stored_notice is not None and stored_notice.is_sending else now
        await self._store_notice(
            snapshot, pending, TOLD, channel=table_places.place_of_table(snapshot).post_channel, sent_at=at
        )
        if decision.way is Delivery.MESSAGE:
            return await self._send_direct(snapshot, pending, hearing, calls, at)
        calls.setdefault((pending.about, at), []).append(pending)
        return None

    async def _send_direct(
        self, snapshot: TableSnapshot, notice: PendingNotice, reachability: Reachability, calls: _Calls, sent_at: int
    ) -> int | None:
        """Send a direct message; return when to retry, or None.

        If the person refuses direct messages, add them to `calls` if a mention would help.
        """
        words, addresses = (
            self._sender.words_of(snapshot, reachability.wishes.language),
            await self._writer.message_links([snapshot]),
        )
        page = event_page(words, snapshot, [notice], mention=False, addresses=addresses)
        sent = await self._writer.send_direct(
            snapshot, notice.person, page, _message_nonce(snapshot, notice.about, notice.person)
        )
        helps = not notice.directly and reachability.wishes.mentioned
        if helps and isinstance(sent, FailedCall) and self._writer.must_mention_instead(notice.person, sent.trouble):
            calls.setdefault((notice.about, sent_at), []).append(notice)
            return None
        return await self._record_result(snapshot, notice, sent, sent_at)

    async def _send_mention(self, snapshot: TableSnapshot, called: Sequence[PendingNotice], sent_at: int) -> int | None:
        addresses = await self._writer.message_links([snapshot])
        page = event_page(self._sender.words_of(snapshot), snapshot, called, mention=True, addresses=addresses)
        sent = await self._sender.post_mention(snapshot, page, _message_nonce(snapshot, called[0].about, sent_at))
        later = None
        for matter in called:
            async with self._contacts.lock_of_person(matter.person):
                later = await self._record_result(snapshot, matter, sent, sent_at)
        return later

    async def _record_result(
        self, snapshot: TableSnapshot, notice: PendingNotice, sent: discord.Message | FailedCall, sent_at: int
    ) -> int | None:
        """Store the result; return when to retry after a temporary failure, else None."""
        if not isinstance(sent, FailedCall):
            self._contacts.reset_failures(snapshot.id)
            await self._store_notice(snapshot, notice, TOLD, channel=sent.channel.id, message=sent.id, sent_at=sent_at)
            await self._contacts.count_mention(snapshot, notice.person)
        elif sent.trouble in PASSING:
            await self._store_notice(snapshot, notice, WAITING)
            return self._contacts.retry_time(snapshot.id, sent.trouble)
        else:
            await self._store_notice(snapshot, notice, TOLD)
        return None

    async def _store_notice(
        self,
        snapshot: TableSnapshot,
        notice: PendingNotice,
        stage: str,
        *,
        channel: int | None = None,
        message: int | None = None,
        sent_at: int | None = None,
    ) -> None:
        await self._contacts.store_notice(
            snapshot.id, notice.person, notice.about, stage, channel=channel, message=message, sent_at=sent_at
        )


def _message_nonce(snapshot: TableSnapshot, about: str, which: int) -> str:
    """Return a nonce that is the same whenever the message is sent again."""
    return blake2b(f"{snapshot.id}.{about}.{which}".encode(), digest_size=LONGEST_NONCE // 2).hexdigest()
