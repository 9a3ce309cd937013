"""Digests: a daily message that lists a person's games, those that wait first, at an hour the person chooses."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import blake2b
from typing import Final
from zoneinfo import ZoneInfo

from bot.clocks.clock import HOUR, MINUTE, Clock
from bot.clocks.quiet_hours import is_known_zone
from bot.clocks.quiet_hours_and_vacation import PersonalTimes
from bot.engine.moves.phases import Phase
from bot.i18n import Words
from bot.tables.people.notices import NoticeRepository
from bot.tables.service import TableService
from bot.tables.state.snapshots import Status, TableSnapshot
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import Page, button_rows, page, text
from cogs.shared.discord_api.discord_calls import CallTrouble, FailedCall
from cogs.shared.notices.links import Links, address_of_board, table_buttons
from cogs.shared.notices.sender import Sender
from cogs.shared.posting import mentions
from cogs.shared.posting.request_budget import Priority
from cogs.shared.telling import names, status_text
from cogs.shared.telling.names import table_rules_name
from cogs.shared.telling.numbers import group_thousands

LONGEST: Final = 3_500
"""Maximum characters of the list of games."""

LATE: Final = 6 * HOUR
"""How late a missed digest is still sent, in milliseconds."""

YEAR: Final = 365


def is_turn_of(snapshot: TableSnapshot, person: int) -> bool:
    """Return whether it is that person's turn at the table."""
    playing = snapshot.status is Status.PLAYING and snapshot.pause is None
    return playing and snapshot.actor is not None and snapshot.actor.person == person


def game_line(words: Words, snapshot: TableSnapshot, person: int) -> str:
    """Return one line about a game: table, rules, score, and whose turn it is."""
    rules = table_rules_name(words, snapshot)
    if snapshot.view is None:
        return words("digest.lobby", table=snapshot.id, rules=rules)
    parts = [
        _score_text(words, snapshot, person),
        _turn_status(words, snapshot, person),
        _time_until_closing_text(words, snapshot),
    ]
    stands = " · ".join(part for part in parts if part)
    return words("digest.line", table=snapshot.id, rules=rules, deal=snapshot.view.deal, stands=stands)


def game_lines(words: Words, snapshots: Sequence[TableSnapshot], person: int) -> str:
    """Return the games as lines, those waiting for the person first; cut at `LONGEST` characters."""
    ordered = sorted(snapshots, key=lambda snapshot: (not is_turn_of(snapshot, person), snapshot.id))
    texts: list[str] = []
    for snapshot in ordered:
        texts.append(game_line(words, snapshot, person))
        if sum(map(len, texts)) > LONGEST:
            texts.pop()
            break
    left = len(ordered) - len(texts)
    return "\n".join([*texts, *([words("digest.more", count=left)] if left else [])])


def daily_digest_page(words: Words, snapshots: Sequence[TableSnapshot], person: int, addresses: Links) -> Page | None:
    """Return the digest of all these games, with links to those in which it is the person's turn.

    None if it is the person's turn in none of them.
    """
    waiting = [snapshot for snapshot in snapshots if is_turn_of(snapshot, person)]
    if not waiting:
        return None
    opens = button_rows(table_buttons(words, waiting, addresses))
    return page([text(words("digest.title")), text(game_lines(words, snapshots, person)), *opens])


def last_start_of_hour(now: int, hour: int, zone: str) -> int:
    """Return when that hour of the day last began in the time zone, in UTC milliseconds.

    An unknown zone counts as UTC.
    """
    local = datetime.fromtimestamp(now / 1000, ZoneInfo(zone if is_known_zone(zone) else "UTC"))
    today = round(local.replace(hour=hour, minute=0, second=0, microsecond=0).timestamp()) * 1000
    return today if today <= now else today - 24 * HOUR


def minute_of_digest(person: int) -> int:
    """Return the minute (0-59) at which to send a person's digest, so that digests spread over the hour."""
    return int.from_bytes(blake2b(str(person).encode(), digest_size=4).digest()) % 60


def is_digest_due(now: int, hour: int, zone: str, *, last: int, minute: int = 0) -> bool:
    """Return whether to send a digest now; `last` is when the previous one was sent."""
    began = last_start_of_hour(now - minute * MINUTE, hour, zone) + minute * MINUTE
    return last < began and now - began < LATE


def _score_text(words: Words, snapshot: TableSnapshot, person: int) -> str:
    """Return the person's score and the best score of the others."""
    seat, totals = snapshot.seat_of(person), () if snapshot.view is None else snapshot.view.totals
    own = next((total.score for total in totals if seat in total.seats), None)
    if own is None:
        return ""
    others = max((total.score for total in totals if seat not in total.seats), default=0)
    return words("digest.score", own=group_thousands(words, own), others=group_thousands(words, others))


def _turn_status(words: Words, snapshot: TableSnapshot, person: int) -> str:
    """Return whose turn it is, or that the game is paused or between deals."""
    view = snapshot.view
    if snapshot.pause is not None or snapshot.has_no_people:
        return words("digest.paused")
    if view is None or view.actor is None or view.phase is Phase.BETWEEN:
        return words("digest.between")
    if not is_turn_of(snapshot, person):
        return words("digest.others", name=names.seat_name(words, snapshot, view.actor))
    running, since = (
        status_text.running_clock(snapshot),
        status_text.discord_timestamp(status_text.waiting_since(snapshot)),
    )
    if running is None:
        return words("digest.yours", since=since)
    return words("digest.yours_until", since=since, until=status_text.deadline_text(snapshot, running[1]))


def _time_until_closing_text(words: Words, snapshot: TableSnapshot) -> str:
    """Return how long the game is kept if the person plays alone against computer players; else ""."""
    if not mentions.is_solo_table(snapshot):
        return ""
    days = snapshot.settings.idle_days(alone=True)
    return words("digest.kept_year") if days == YEAR else words("digest.kept_days", days=days)


PAUSE: Final = MINUTE
"""Time between two checks for due digests, in milliseconds."""


class DailyDigests:
    """Background task that sends due digests; if several processes run the bot, only one sends them."""

    def __init__(
        self,
        tables: TableService,
        book: NoticeRepository,
        personal: PersonalTimes,
        sender: Sender,
        *,
        clock: Clock,
        sends: bool = True,
    ) -> None:
        self._tables = tables
        self._book = book
        self._personal = personal
        self._sender = sender
        self._clock = clock
        self._sends = sends
        self._begun = False
        self._task: asyncio.Task[None] | None = None

    def start(self) -> asyncio.Task[None]:
        """Start and return the background task; nothing is sent before `begin`."""
        self._task = asyncio.create_task(self._send_digests_forever(), name="digests")
        return self._task

    def begin(self) -> None:
        """Allow sending: Discord is connected."""
        self._begun = True

    async def close(self) -> None:
        """Stop the background task."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def send_due_digests(self) -> None:
        """Send every digest whose hour has come, unless another process of the bot does."""
        if not self._sends:
            return
        for person, hour in (await self._book.digest_hour_by_person()).items():
            contact, now = await self._book.contact(person), self._clock.now()
            if not is_digest_due(
                now, hour, await self._time_zone_of(person), last=contact.digest, minute=minute_of_digest(person)
            ):
                continue
            await self._book.store_contact(person, replace(contact, digest=now))
            if not contact.refuses_messages:
                await self._send_digest(person, now)

    async def _send_digests_forever(self) -> None:
        while True:
            try:
                if self._begun:
                    await self.send_due_digests()
            except Exception as error:  # noqa: BLE001 - a failed digest must not stop the bot
                interactions.log_unexpected_error(error, "sending digests")
            await self._clock.sleep(PAUSE)

    async def _time_zone_of(self, person: int) -> str:
        """Return the person's time zone: the chosen one, else that of their quiet hours."""
        window = (await self._personal.hours_of(person)).window
        return await self._book.time_zone(person) or ("" if window is None else window.zone)

    async def _send_digest(self, person: int, now: int) -> None:
        snapshots = await self._tables.reading.open_tables_of(person)
        if not snapshots:
            return
        wishes = await self._book.preferences(person)
        addresses = {
            snapshot.id: address_of_board(snapshot, await self._tables.places.board_message(snapshot.id))
            for snapshot in snapshots
        }
        page = daily_digest_page(self._sender.words_of(snapshots[0], wishes.language), snapshots, person, addresses)
        if page is None:
            return
        sent = await self._sender.send_direct(snapshots[0], person, page, f"digest.{now}", priority=Priority.MEND)
        if isinstance(sent, FailedCall) and sent.trouble is CallTrouble.PERSON_CLOSED:
            contact = await self._book.contact(person)
            await self._book.store_contact(person, replace(contact, closed=now))
