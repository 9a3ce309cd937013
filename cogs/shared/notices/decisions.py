"""What is due: whether a person is to be told of a turn now, later or not at all (`docs/long-games.md`, 5).

Pure decisions. A turn that comes is told by the table's own message, anew with a mention
(`cogs.shared.posting.mentions`), where the person may be called just then; otherwise it waits here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, TypeAlias

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.law import Stage
from bot.tables.people.notices import Contact, NoticePreferences, SentNotice
from bot.tables.state.snapshots import Status, TableSnapshot
from cogs.shared.posting import mentions

UNSEEN: Final = 3 * HOUR
"""How long other turns wait while a person has not looked since the last call. Milliseconds."""

SPREAD: Final = 10 * MINUTE
"""Over how much time notices are spread after the bot was away. Milliseconds."""

WAITING: Final = "waiting"
"""The stage of a turn that is still to be told."""

CALLING: Final = "calling"
"""The stage of a turn to which the table's message is about to call the person."""

_ORDER: Final = (WAITING, *(stage.value for stage in Stage))

_REMINDERS: Final = {"both": (Stage.HALF, Stage.LAST), "last": (Stage.LAST,), "none": ()}


class Delivery(StrEnum):
    """How a person is told."""

    MENTION = "mention"
    MESSAGE = "message"  # a direct one


@dataclass(frozen=True, slots=True)
class Owed:
    """A person whose turn or answer a table waits for: the turn's name, how far its time has run, since and until when.

    `until` is None where nobody's time is counted.
    """

    seat: int
    person: int
    turn: str
    stage: Stage
    since: int
    until: int | None


@dataclass(frozen=True, slots=True)
class Case:
    """All that decides whether a person is told of a turn.

    `quiet_until` is when the person wakes, `not_before` when the table's notices may go out.
    """

    owed: Owed
    notice: SentNotice | None
    wishes: NoticePreferences
    contact: Contact
    now: int
    quiet_until: int | None = None
    not_before: int = 0


@dataclass(frozen=True, slots=True)
class CheckLater:
    """Look again at that instant."""

    at: int


@dataclass(frozen=True, slots=True)
class SkipNotice:
    """Nothing is sent, and nothing more of that stage will be."""

    stage: Stage


@dataclass(frozen=True, slots=True)
class TellNow:
    """The person is to be told now that the turn is at that stage."""

    stage: Stage
    way: Delivery


Decision: TypeAlias = CheckLater | SkipNotice | TellNow | None


def is_tended(look: TableSnapshot) -> bool:
    """Whether turns of the table are told with care for the person's day: where they may take hours."""
    return look.settings.clock is None or look.settings.slow


def turn_name(look: TableSnapshot) -> str:
    """The running turn; empty where none runs."""
    turn = mentions.turn_of(look)
    return "" if turn is None else f"{turn.deal}.{turn.turn}"


def owed(look: TableSnapshot) -> Owed | None:
    """Whom the table waits for, if that is a person who is to be told of it."""
    view, actor, clocks = look.view, look.actor, look.clocks
    if view is None or look.status is not Status.PLAYING or look.pause is not None or not is_tended(look):
        return None
    if actor is None or actor.person is None or view.actor is None or mentions.plays_alone(look):
        return None
    counted = clocks if clocks is not None and clocks.owes == view.actor else None
    if look.settings.clock is not None and counted is None:
        return None
    stage, since, until = Stage.RUNNING, look.updated_at, None
    if counted is not None:
        stage, since, until = counted.stage, counted.since, counted.until
    granted = look.absence.waits.count(view.actor) if stage is Stage.EXTENDED else 0
    # A day that the others grant is told like the first one, though the turn is the same.
    about = f"{turn_name(look)}.{granted}" if granted else turn_name(look)
    return Owed(view.actor, actor.person, about, stage, since, until)


def debts(look: TableSnapshot) -> tuple[Owed, ...]:
    """Everybody who is to be told of their own seat: whom the table waits for, and whose seat is kept by a computer.

    Whoever left on purpose is not told.
    """
    waits, absence = owed(look), look.absence
    if look.status is not Status.PLAYING:
        return ()
    kept = tuple(
        Owed(seat, holder.kept_for, f"kept.{absence.kept.count(seat)}", Stage.LAPSED, look.updated_at, None)
        for seat, holder in enumerate(look.seats)
        if holder.kept_for is not None and holder.kept_for > 0
        if seat in absence.kept and seat not in absence.left
    )
    return kept if waits is None else (waits, *kept)


def decide(case: Case) -> Decision:
    """What is to be done; that a turn has come is told only where it was left waiting."""
    stage = _wanted(case)
    if _reached(case.notice) >= _ORDER.index(stage):
        return None
    if case.wishes.notices == "none":
        return SkipNotice(stage)
    begins = stage is Stage.RUNNING
    waits = max(case.quiet_until or 0, case.not_before, case.contact.last_ping + UNSEEN if _is_held(case, stage) else 0)
    if waits > case.now:
        return CheckLater(waits)
    limit = case.wishes.pings
    if (begins or stage is Stage.HALF) and limit is not None and case.contact.calls(case.now) >= limit:
        return SkipNotice(stage)
    message = case.wishes.notices == "dm" and not case.contact.shut
    return TellNow(stage, Delivery.MESSAGE if message else Delivery.MENTION)


def begun(case: Case) -> Decision:
    """What is to be done of a turn that has just come."""
    owed = replace(case.owed, stage=Stage.RUNNING)
    waiting = SentNotice(0, owed.person, owed.turn, WAITING, None, None, case.now)
    return decide(replace(case, owed=owed, notice=case.notice or waiting))


def after_absence(table: int, away_until: int) -> int:
    """When notices of a table may go out again after the bot was away: each table has its own moment."""
    return away_until + table * 7_919 % (SPREAD // 1000) * 1000 if away_until else 0


def _wanted(case: Case) -> Stage:
    """The stage to be told: a reminder that the person does not want counts as the turn itself."""
    stage, wanted = case.owed.stage, _REMINDERS.get(case.wishes.reminders, ())
    if stage in (Stage.HALF, Stage.LAST) and stage not in wanted:
        return Stage.RUNNING
    return stage


def _reached(notice: SentNotice | None) -> int:
    """How far the person has been told; of a turn that nobody noted the table's message has told."""
    stage = Stage.RUNNING.value if notice is None or notice.stage == CALLING else notice.stage
    return _ORDER.index(stage)


def _is_held(case: Case, stage: Stage) -> bool:
    """Whether the turn waits for the person to look at an earlier one."""
    return stage is Stage.RUNNING and case.contact.unseen
