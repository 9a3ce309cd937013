"""Keeping time: charge clocks, start and stop them, handle their alarms, and end games early.

A clock is charged when it stops; until then only the instant of its start is stored. So outages, quiet hours and
vacation days need no update of a running clock: the charge is calculated from the data known at the stop.

A game can end before its rules end it: after a set number of deals, or at its latest end. Then finished deals count and
the deal in play is dropped. Nothing of a dropped deal is published: its seed and its hands stay secret.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final, Protocol

from bot.clocks import law
from bot.clocks.clock import Spans, union
from bot.clocks.law import DAY, LATE, ClockTerms, SeatClock, Stage
from bot.clocks.personal import PersonalTimes
from bot.clocks.uptime import Uptime
from bot.tables.state.clocks import Conclusion, is_answering, is_out_of_time, seat_on_clock, turn_is_over, turn_of
from bot.tables.state.events import (
    AnyEvent,
    ClockRuns,
    ClockSet,
    ClockStopped,
    Deadline,
    DeadlineSet,
    GameConcluded,
    StageReached,
)
from bot.tables.state.fold import fold
from bot.tables.state.requests import PendingChange
from bot.tables.state.snapshots import Status
from bot.tables.state.table import TableState

HORIZON: Final = 60 * DAY
"""How far ahead quiet hours are considered when calculating when a clock runs out."""

FOR_EVER: Final = 2**62

_ORDER: Final = tuple(Stage)


class Keeper(Protocol):
    """Knowledge about time outside the table: quiet hours, vacations, outages."""

    async def standing(self, person: int, start: int, end: int, *, terms: ClockTerms, off_until: int) -> Spans:
        """Return when the person's clock is stopped between two instants.

        Vacation days count up to `off_until`.
        """

    async def take_day(self, person: int, start: int, now: int) -> bool:
        """Use a day of the person's vacation from an instant on; return whether one was left."""

    async def moved(self, person: int, now: int) -> None:
        """Record that the person has moved, which ends a vacation."""

    def away(self) -> Spans:
        """Return when the bot was away."""

    def not_before(self, terms: ClockTerms) -> int:
        """Return the earliest time a clock may run out; it is later shortly after an outage."""


class TimeKeeper:
    """A `Keeper` with stored personal times and the bot's uptime; one for the whole process."""

    def __init__(self, personal: PersonalTimes, readiness: Uptime) -> None:
        self._personal = personal
        self._readiness = readiness

    async def standing(self, person: int, start: int, end: int, *, terms: ClockTerms, off_until: int) -> Spans:
        away = self._readiness.away()
        if not terms.slow:
            return away
        personal = await self._personal.of(person)
        off = personal.standing(start, min(end, off_until), vacation=True) if off_until > start else ()
        return union(away, off, personal.standing(start, end, vacation=False))

    async def take_day(self, person: int, start: int, now: int) -> bool:
        return await self._personal.take_day(person, start, now) is not None

    async def moved(self, person: int, now: int) -> None:
        await self._personal.moved(person, now)

    def away(self) -> Spans:
        return self._readiness.away()

    def not_before(self, terms: ClockTerms) -> int:
        return self._readiness.last_outage_end + terms.after_outage if self._readiness.last_outage_end else 0


# --- at every change --------------------------------------------------------------------------------------------------


async def clock_consequences(
    keeper: Keeper, before: TableState, after: TableState, change: PendingChange
) -> tuple[AnyEvent, ...]:
    """Consequence: the effects of any change on the clocks."""
    caller = change.request.caller
    person = None if caller is None else caller.person
    masked = change.request.masked_since
    return await clock_events(before, after, keeper, now=change.now, person=person, masked_since=masked)


async def clock_events(
    before: TableState,
    after: TableState,
    keeper: Keeper,
    *,
    now: int,
    person: int | None,
    masked_since: int | None = None,
) -> tuple[AnyEvent, ...]:
    """Return the clock events of a change by that person: charge the running clock, start the next one.

    From `masked_since` on the clock is not charged: the person's premove was held back until now.
    """
    terms = after.settings.clock
    ran = None if after.clocks is None else after.clocks.owes
    if terms is None or after.status is not Status.PLAYING or after.game is None:
        return _stop_clock(after) if ran is not None else ()
    runs = seat_on_clock(after)
    # A move ends the player's vacation; an answer to another question does not.
    plays = person is not None and ran is not None and person == after.seats[ran].person
    moved = person is not None and plays and terms.slow and after.game is not before.game
    if person is not None and moved:
        await keeper.moved(person, now)
    if ran is not None and ran == runs and masked_since is None and _is_same_run(before, after, ran):
        return await rescheduled_alarms(after, keeper, now) if moved else ()
    if runs is None and after.clocks is None:
        return ()
    events: list[AnyEvent] = []
    clocks = [law.begun(terms)] * len(after.seats) if after.clocks is None else list(after.clocks.seats)
    for seat in _seats_with_new_clock(before, after):
        clocks[seat] = law.begun(terms)
        events.append(ClockSet(seat, clocks[seat]))
    played = _seat_finished_late(before, after)
    if played is not None:
        clocks[played] = _add_turn_bonus(before, after, clocks[played], terms)
        events.append(ClockSet(played, clocks[played]))
    if ran is not None and _same_person(before, after, ran):
        masked = () if masked_since is None else ((masked_since, now),)
        clocks[ran] = await _charge_clock(before, after, ran, terms=terms, keeper=keeper, now=now, masked=masked)
        events.append(ClockSet(ran, clocks[ran]))
    if runs is None:
        return (*events, *(_stop_clock(after) if ran is not None else ()))
    return (*events, *await _start_clock(after, runs, clocks[runs], terms=terms, keeper=keeper, now=now))


def _is_same_run(before: TableState, after: TableState, seat: int) -> bool:
    """Return whether the same clock goes on: same turn, person, kind of obligation and clock terms."""
    same_terms = before.settings.clock == after.settings.clock
    if before.game is None or after.game is None or not (same_terms and _same_person(before, after, seat)):
        return False
    same_turn = turn_of(before.game) == turn_of(after.game)
    return same_turn and is_answering(before.game) == is_answering(after.game)


def _same_person(before: TableState, after: TableState, seat: int) -> bool:
    return before.seats[seat].person is not None and before.seats[seat].person == after.seats[seat].person


def _seats_with_new_clock(before: TableState, after: TableState) -> tuple[int, ...]:
    """Return the seats whose clock begins: all at the start, later those of persons new to their seat."""
    if after.clocks is None:
        return tuple(range(len(after.seats)))
    return tuple(
        seat
        for seat, (old, new) in enumerate(zip(before.seats, after.seats, strict=True))
        if new.person is not None and new.person not in (old.person, old.kept_for)
    )


def _stop_clock(record: TableState) -> tuple[AnyEvent, ...]:
    alarm = (DeadlineSet(Deadline.CLOCK, None),) if Deadline.CLOCK in record.deadlines else ()
    return (ClockStopped(), *alarm)


async def _charge_clock(
    before: TableState, after: TableState, seat: int, *, terms: ClockTerms, keeper: Keeper, now: int, masked: Spans
) -> SeatClock:
    """Return the clock that ran, charged, with the bonus for the end of its turn if the turn ended."""
    clocks, person = after.clocks, before.seats[seat].person
    if clocks is None or person is None or before.game is None or after.game is None:
        raise ValueError("no clock ran")
    stood = await keeper.standing(person, clocks.since, now, terms=terms, off_until=_vacation_until(after))
    standing = union(masked, stood)
    clock = law.spent(clocks.seats[seat], since=clocks.since, until=now, standing=standing)
    if turn_is_over(before.game, after.game, seat):
        return _add_turn_bonus(before, after, clock, terms)
    return law.answered(clock) if is_answering(before.game) else clock


def _add_turn_bonus(before: TableState, after: TableState, clock: SeatClock, terms: ClockTerms) -> SeatClock:
    """Return the clock with the bonus for a finished turn; a turn finished again after an undo gets none."""
    nothing = after.last_deal or (before.game is not None and before.undone == turn_of(before.game))
    return replace(clock, allowance=0, extension=0) if nothing else law.turn_ended(clock, terms)


def _seat_finished_late(before: TableState, after: TableState) -> int | None:
    """Return the seat that finished its turn itself although it was out of time."""
    seat = None if before.clocks is None else before.clocks.told
    if seat is None or before.game is None or after.game is None or not is_out_of_time(before):
        return None
    over = turn_is_over(before.game, after.game, seat)
    return seat if over and _same_person(before, after, seat) else None


async def _start_clock(
    after: TableState, seat: int, clock: SeatClock, *, terms: ClockTerms, keeper: Keeper, now: int
) -> tuple[AnyEvent, ...]:
    """Return the events that start the seat's clock now."""
    game, person = after.game, after.seats[seat].person
    if game is None or person is None:
        raise ValueError("nobody owes anything")
    set_: tuple[AnyEvent, ...] = ()
    if is_answering(game) and not after.last_deal:
        clock = law.answering(clock, terms)
        set_ = (ClockSet(seat, clock),)
    standing = await keeper.standing(person, now, now + HORIZON, terms=terms, off_until=_vacation_until(after))
    until = law.ends_at(clock, since=now, standing=standing)
    reminders = law.reminder_instants(clock, terms, since=now, standing=standing)
    rings = min((until + LATE, *(instant for instant in reminders.values() if instant > now)))
    return (*set_, ClockRuns(seat, now, until, turn_of(game)), DeadlineSet(Deadline.CLOCK, rings))


def _vacation_until(record: TableState) -> int:
    """Return until when vacation days count at that table: never, up to the latest end, or without limit."""
    if not record.settings.vacation:
        return 0
    return (record.absence.ends_at or 0) if record.last_deal else FOR_EVER


async def time_left(record: TableState, seat: int, keeper: Keeper, now: int) -> SeatClock:
    """Return the seat's clock with its time left now; a running clock is charged."""
    clocks, terms, person = record.clocks, record.settings.clock, record.seats[seat].person
    if clocks is None or terms is None:
        raise ValueError("nobody's time is counted")
    if clocks.owes != seat or person is None:
        return clocks.seats[seat]
    standing = await keeper.standing(person, clocks.since, now, terms=terms, off_until=_vacation_until(record))
    return law.spent(clocks.seats[seat], since=clocks.since, until=now, standing=standing)


# --- on ringing -------------------------------------------------------------------------------------------------------


async def clock_alarm_events(record: TableState, keeper: Keeper, now: int) -> tuple[AnyEvent, ...]:
    """Return the events of a clock alarm: the next stage, or only a new alarm. The last stage is LAPSED."""
    clocks, terms = record.clocks, record.settings.clock
    seat = None if clocks is None else clocks.owes
    person = None if seat is None else record.seats[seat].person
    if clocks is None or terms is None or seat is None or person is None:
        return (DeadlineSet(Deadline.CLOCK, None),)
    clock = clocks.seats[seat]
    standing = await keeper.standing(
        person, clocks.since, now + HORIZON, terms=terms, off_until=_vacation_until(record)
    )
    zero = law.ends_at(clock, since=clocks.since, standing=standing)
    over = max(zero + LATE, keeper.not_before(terms))
    if now < over:
        reminders = law.reminder_instants(clock, terms, since=clocks.since, standing=standing)
        reached = [stage for stage, instant in reminders.items() if instant <= now]
        coming = [instant for instant in reminders.values() if instant > now]
        stage = max((clocks.stage, *reached), key=_ORDER.index)
        told = (StageReached(seat, stage, zero),) if (stage, zero) != (clocks.stage, clocks.until) else ()
        return (*told, DeadlineSet(Deadline.CLOCK, min((over, *coming))))
    if record.settings.extension and not clock.extended and not record.last_deal:
        extended = replace(clock, extension=terms.extension, extended=True)
        until = law.ends_at(extended, since=clocks.since, standing=standing)
        return (ClockSet(seat, extended), *_reach_stage(seat, Stage.EXTENDED, until))
    allowed = record.settings.vacation - clock.vacation_days
    if terms.slow and allowed > 0 and not record.last_deal and await keeper.take_day(person, zero, now):
        away = replace(clock, vacation_days=clock.vacation_days + 1)
        return (ClockSet(seat, away), *_reach_stage(seat, Stage.VACATION, zero + DAY))
    lapsed = replace(clock.charged(clock.left), lapses=clock.lapses + 1)
    return (
        ClockSet(seat, lapsed),
        StageReached(seat, Stage.LAPSED, zero),
        ClockStopped(),
        DeadlineSet(Deadline.CLOCK, None),
    )


async def rescheduled_alarms(record: TableState, keeper: Keeper, now: int) -> tuple[AnyEvent, ...]:
    """Return a new alarm for the running clock after quiet hours or vacation days changed."""
    clocks, terms, due = record.clocks, record.settings.clock, record.deadlines.get(Deadline.CLOCK)
    seat = None if clocks is None else clocks.owes
    person = None if seat is None else record.seats[seat].person
    if clocks is None or terms is None or seat is None or person is None or due is None:
        return ()
    clock = clocks.seats[seat]
    standing = await keeper.standing(
        person, clocks.since, now + HORIZON, terms=terms, off_until=_vacation_until(record)
    )
    zero = law.ends_at(clock, since=clocks.since, standing=standing)
    reminders = law.reminder_instants(clock, terms, since=clocks.since, standing=standing)
    coming = [instant for stage, instant in reminders.items() if _ORDER.index(stage) > _ORDER.index(clocks.stage)]
    rings = max(now, min((max(zero + LATE, keeper.not_before(terms)), *coming)))
    told = (StageReached(seat, clocks.stage, zero),) if zero != clocks.until else ()
    return (*told, DeadlineSet(Deadline.CLOCK, rings)) if told or rings < due else ()


def _reach_stage(seat: int, stage: Stage, until: int) -> tuple[AnyEvent, ...]:
    return StageReached(seat, stage, until), DeadlineSet(Deadline.CLOCK, until + LATE)


def end_after_deal(
    record: TableState, ended: Iterable[AnyEvent], following: tuple[AnyEvent, ...]
) -> tuple[AnyEvent, ...]:
    """Return the events after the end of a deal, or the end of the game if no deal is to follow.

    `ended` is the end of the deal, `following` are the events of the wait for the next one.
    """
    after = fold(record, (*ended, *following))
    if after.game is None or after.game.winner is not None:
        return following
    settings = record.settings
    if record.last_deal:
        how = "latest_end"
    elif settings.deals is not None and after.game.deal >= settings.deals:
        how = "played"
    else:
        return following
    waits = (DeadlineSet(kind, None) for kind in after.deadlines if kind is not Deadline.EXPIRE)
    return (*following, *waits, GameConcluded(conclusion(after, how)))


def conclusion(record: TableState, how: str) -> Conclusion:
    """Return the end of a game after its finished deals: the best score wins; no side wins a tie."""
    scores = () if record.game is None else record.game.scores
    best = [side for side, score in enumerate(scores) if score == max(scores)]
    return Conclusion(how, best[0] if len(best) == 1 else None, scores)


def end_game(record: TableState, conclusion: Conclusion) -> tuple[AnyEvent, ...]:
    """Return the events that end the game and clear its deadlines."""
    return (*(DeadlineSet(kind, None) for kind in record.deadlines), GameConcluded(conclusion))


def end_by_agreement(record: TableState) -> tuple[AnyEvent, ...]:
    """Return the end that all persons agreed to: the side that leads after the finished deals has won."""
    return end_game(record, conclusion(record, "agreed"))


def end_by_resignation(record: TableState, side: int) -> tuple[AnyEvent, ...]:
    """Return the end by resignation of a side: it is last.

    The best of the other sides has won, if there is only one best.
    """
    ending = conclusion(record, "resigned")
    others = {one: score for one, score in enumerate(ending.scores) if one != side}
    best = [one for one, score in others.items() if score == max(others.values())]
    winner = best[0] if len(best) == 1 else None
    return end_game(record, replace(ending, winner=winner, last=side))
