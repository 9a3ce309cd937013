"""Decide whether to notify a person of a turn now, later or not at all. Pure.

Source: `docs/long-games.md`, 5. A new turn is normally announced by the table's own message, posted again with a
mention (`cogs.shared.posting.mentions`), if the person may be mentioned at that time. Otherwise its notice is stored as
waiting, and this module decides when to send it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, TypeAlias

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.time_rules import Stage
from bot.tables.people.notices import Contact, NoticePreferences, SentNotice
from bot.tables.state.absence import SeatReturn
from bot.tables.state.snapshots import Status, TableSnapshot
from cogs.shared.notices.event_notices import absent_opponents
from cogs.shared.posting import mentions
from cogs.shared.telling import status_text

UNSEEN: Final = 3 * HOUR
"""How long new turns wait while a person has not reacted to the last mention, in milliseconds."""

SPREAD: Final = 10 * MINUTE
"""Time over which notices are spread after the bot was offline, in milliseconds."""

WAITING: Final = "waiting"
"""Stage of a notice that is still to be sent."""

RETURNED: Final = "back"
"""Part of the name of a turn in which its person has come back."""

CALLING: Final = "calling"
"""Stage of a turn while the table's message is about to mention the person."""

_ORDER: Final = (WAITING, *(stage.value for stage in Stage))

_REMINDERS: Final = {"both": (Stage.HALF, Stage.LAST), "last": (Stage.LAST,), "none": ()}


class Delivery(StrEnum):
    """How a notice is delivered."""

    MENTION = "mention"
    MESSAGE = "message"  # a direct message


@dataclass(frozen=True, slots=True)
class AwaitedTurn:
    """A turn for which the table waits, and the person in turn.

    It has a name, the stage of its clock, and its start and end time (UTC milliseconds); `until` is None if no clock
    runs. `again` means that the table was stopped for long during the turn, so that the turn is announced again.
    """

    seat: int
    person: int
    turn: str
    stage: Stage
    since: int
    until: int | None
    again: bool = False


@dataclass(frozen=True, slots=True)
class NoticeFacts:
    """Everything that decides whether a person is notified of a turn.

    `quiet_until` is the end of the person's quiet hours; `not_before` is when the table's notices may be sent.
    """

    owed: AwaitedTurn
    notice: SentNotice | None
    wishes: NoticePreferences
    contact: Contact
    now: int
    quiet_until: int | None = None
    not_before: int = 0


@dataclass(frozen=True, slots=True)
class CheckLater:
    """Decision: check again at that time."""

    at: int


@dataclass(frozen=True, slots=True)
class SkipNotice:
    """Decision: send nothing for this stage."""

    stage: Stage


@dataclass(frozen=True, slots=True)
class NotifyNow:
    """Decision: notify the person now of this stage."""

    stage: Stage
    way: Delivery


Decision: TypeAlias = CheckLater | SkipNotice | NotifyNow | None


def is_slow_game(snapshot: TableSnapshot) -> bool:
    """Return whether turns of the table may take hours, so that preferences and quiet hours count."""
    return snapshot.settings.clock is None or snapshot.settings.is_slow


def turn_notice_name(snapshot: TableSnapshot) -> str:
    """Return the name of the running turn, or "" if no turn runs."""
    turn = mentions.running_turn(snapshot)
    return "" if turn is None else f"{turn.deal}.{turn.turn}"


def is_of_running_turn(snapshot: TableSnapshot, about: str) -> bool:
    """Return whether the notice named `about` belongs to the running turn."""
    name = turn_notice_name(snapshot)
    return bool(name) and (about == name or about.startswith(f"{name}."))


def awaited_turn(snapshot: TableSnapshot) -> AwaitedTurn | None:
    """Return the turn the table waits for, or None if its player is not to be notified."""
    view, actor, clocks = snapshot.view, snapshot.actor, snapshot.clocks
    if view is None or snapshot.status is not Status.PLAYING or snapshot.is_halted or not is_slow_game(snapshot):
        return None
    if actor is None or actor.person is None or view.actor is None or mentions.is_solo_table(snapshot):
        return None
    counted = clocks if clocks is not None and clocks.owes == view.actor else None
    if snapshot.settings.clock is not None and counted is None and snapshot.absence.unopposed is None:
        return None
    stage, until = Stage.RUNNING, None
    if counted is not None:
        stage, until = counted.stage, counted.until
    granted = snapshot.absence.waits.count(view.actor) if stage is Stage.EXTENDED else 0
    # An extra day granted by the others gets its own notices, like a new turn; so does the time after a return.
    about = f"{turn_notice_name(snapshot)}.{granted}" if granted else turn_notice_name(snapshot)
    if snapshot.absence.confirmed == SeatReturn(view.actor, (view.deal, view.turns)):
        about = f"{about}.{RETURNED}"
    since = status_text.waiting_since(snapshot)
    if snapshot.resumed_at is None or since >= snapshot.resumed_at:
        return AwaitedTurn(view.actor, actor.person, about, stage, since, until)
    return AwaitedTurn(view.actor, actor.person, f"{about}.{snapshot.resumed_at}", stage, since, until, again=True)


def turns_to_notify(snapshot: TableSnapshot) -> tuple[AwaitedTurn, ...]:
    """Return the turns whose persons are to be notified about their own seat.

    These are the person in turn, and persons whom a computer player replaces. Not notified here are players who left on
    purpose, and absent players whose opponents have nobody else to play against: those get an event notice instead
    (`cogs.shared.notices.event_notices`).
    """
    waits, absence = awaited_turn(snapshot), snapshot.absence
    if snapshot.status is not Status.PLAYING:
        return ()
    kept = tuple(
        AwaitedTurn(
            seat,
            holder.kept_for,
            _kept_seat_notice_name(snapshot, seat),
            Stage.LAPSED,
            status_text.waiting_since(snapshot),
            None,
        )
        for seat, holder in enumerate(snapshot.seats)
        if holder.kept_for is not None and holder.kept_for > 0
        if seat in absence.kept and seat not in absence.left and seat not in absent_opponents(snapshot)
    )
    return kept if waits is None else (waits, *kept)


def names_of_kept_seat_notices(snapshot: TableSnapshot) -> set[tuple[int, str]]:
    """Return the persons whose seats are kept, each with the name of the notice that says so.

    A sent one stays while another notice takes its place, or it would be sent again afterwards.
    """
    return {
        (holder.kept_for, _kept_seat_notice_name(snapshot, seat))
        for seat, holder in enumerate(snapshot.seats)
        if holder.kept_for is not None and snapshot.status is Status.PLAYING
    }


def _kept_seat_notice_name(snapshot: TableSnapshot, seat: int) -> str:
    """Return the name of the notice that a computer player keeps the seat; it counts how often it has been kept."""
    return f"kept.{snapshot.absence.kept.count(seat)}"


def decide_notice(facts: NoticeFacts) -> Decision:
    """Return whether to send a turn notice now or later, or to skip it; None if it was sent already.

    The start of a turn is sent only if it was stored as waiting.
    """
    stage = _stage_to_send(facts)
    if _sent_stage_index(facts) >= _ORDER.index(stage):
        return None
    if facts.wishes.notices == "none":
        return SkipNotice(stage)
    begins = stage is Stage.RUNNING
    waits = max(
        facts.quiet_until or 0,
        facts.not_before,
        facts.contact.last_ping + UNSEEN if _has_unanswered_mention(facts, stage) else 0,
    )
    if waits > facts.now:
        return CheckLater(waits)
    limit = facts.wishes.pings
    if (
        (begins or stage is Stage.HALF)
        and limit is not None
        and facts.contact.count_recent_mentions(facts.now) >= limit
    ):
        return SkipNotice(stage)
    message = facts.wishes.notices == "dm" and not facts.contact.refuses_messages
    return NotifyNow(stage, Delivery.MESSAGE if message else Delivery.MENTION)


def decide_notice_of_new_turn(facts: NoticeFacts) -> Decision:
    """Return what to do about a turn that has just begun."""
    owed = replace(facts.owed, stage=Stage.RUNNING)
    waiting = SentNotice(0, owed.person, owed.turn, WAITING, None, None, facts.now)
    return decide_notice(replace(facts, owed=owed, notice=facts.notice or waiting))


def earliest_notice_time(table: int, away_until: int) -> int:
    """Return when notices of a table may be sent after the bot was offline; differs per table."""
    return away_until + table * 7_919 % (SPREAD // 1000) * 1000 if away_until else 0


def _stage_to_send(facts: NoticeFacts) -> Stage:
    """Return the stage of the turn to notify of; an unwanted reminder counts as the turn's start."""
    stage, wanted = facts.owed.stage, _REMINDERS.get(facts.wishes.reminders, ())
    if stage in (Stage.HALF, Stage.LAST) and stage not in wanted:
        return Stage.RUNNING
    return stage


def _sent_stage_index(facts: NoticeFacts) -> int:
    """Return the index of the last stage sent.

    Without a stored notice, the table's message has announced the turn; a turn to be announced again counts as waiting.
    """
    if facts.notice is None:
        return _ORDER.index(WAITING if facts.owed.again else Stage.RUNNING.value)
    return _ORDER.index(Stage.RUNNING.value if facts.notice.stage == CALLING else facts.notice.stage)


def _has_unanswered_mention(facts: NoticeFacts, stage: Stage) -> bool:
    """Return whether the notice waits because the person has not reacted to an earlier mention."""
    return stage is Stage.RUNNING and facts.contact.is_waiting_for_reaction
