"""Keeping time: charge clocks, start and stop them, handle their alarms, and end games early.

A clock is charged when it stops; until then only the instant of its start is stored. So outages, quiet hours and
vacation days need no update of a running clock: the charge is calculated from the data known at the stop.

A game can end before its rules end it: after a set number of deals, or at its latest end. Then finished deals count and
the deal in play is dropped. Nothing of a dropped deal is published: its seed and its hands stay secret.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, Protocol

from bot.clocks import time_rules
from bot.clocks.clock import Spans, instant_after, merge_spans, running_time
from bot.clocks.quiet_hours_and_vacation import PersonalHours, PersonalTimes
from bot.clocks.time_rules import DAY, GRACE, MOST_DAYS_A_TURN, PRESENT_FOR, ClockTerms, SeatClock, Stage
from bot.clocks.uptime import Uptime
from bot.tables.state.clocks import Conclusion, is_answer_awaited, is_out_of_time, is_turn_over, seat_on_clock, turn_of
from bot.tables.state.events import (
    AnyEvent,
    ClockRuns,
    ClockSet,
    ClockStopped,
    Deadline,
    DeadlineSet,
    GameConcluded,
    StageReached,
    VacationDayTaken,
    VacationEnded,
)
from bot.tables.state.fold import apply_table_events
from bot.tables.state.requests import PendingChange
from bot.tables.state.snapshots import Status
from bot.tables.state.table import TableState
from bot.tables.timing.halted_tables import earliest_deadline, stopped_spans

HORIZON: Final = 60 * DAY
"""How far ahead quiet hours are looked up to calculate when a clock runs out."""

_ORDER: Final = tuple(Stage)


class LastSeenLookup(Protocol):
    """Lookup of the time at which a person last used the bot."""

    async def last_seen(self, person: int) -> int:
        """Return when the person last used the bot; 0 if that is not known."""


class TimeLookup(Protocol):
    """Lookup of times that are not stored with a table: quiet hours, vacations, presence, outages."""

    async def personal_hours(self, person: int) -> PersonalHours:
        """Return the person's quiet hours and vacation."""

    async def last_seen(self, person: int) -> int:
        """Return when the person last used the bot; if that is not known, when the bot was first ready."""

    def away_spans(self) -> Spans:
        """Return the spans in which the bot was away."""


class StoredTimeLookup:
    """The `TimeLookup` that reads stored quiet hours, vacations and outages; one per process."""

    def __init__(self, personal: PersonalTimes, readiness: Uptime, sightings: LastSeenLookup) -> None:
        self._personal = personal
        self._readiness = readiness
        self._sightings = sightings

    async def personal_hours(self, person: int) -> PersonalHours:
        return await self._personal.hours_of(person)

    async def last_seen(self, person: int) -> int:
        return await self._sightings.last_seen(person) or self._readiness.first_start

    def away_spans(self) -> Spans:
        return self._readiness.outages()


async def is_present(time_lookup: TimeLookup, record: TableState, person: int, at: int, *, now: int) -> bool:
    """Return whether the person is present at an instant, as far as is known now.

    A person is present for three days after being seen, not counting time in which the table was halted.
    """
    seen = await time_lookup.last_seen(person)
    return running_time(stopped_spans(record, time_lookup.away_spans(), now), seen, at) < PRESENT_FOR


def _vacation_days_of_turn(record: TableState, seat: int | None) -> Spans:
    """Return the days of vacation taken in the current turn, if it is the seat's."""
    clocks, game = record.clocks, record.game
    if clocks is None or game is None or (clocks.told, clocks.turn) != (seat, turn_of(game)):
        return ()
    return clocks.days


@dataclass(frozen=True, slots=True)
class _ClockStops:
    """The times in which a seat's clock does not run.

    `table` are those in which the table is halted, `all` those of any reason.
    """

    table: Spans
    all: Spans
    clock: SeatClock


async def _clock_stops(
    time_lookup: TimeLookup,
    record: TableState,
    seat: int,
    person: int,
    clock: SeatClock,
    *,
    since: int,
    until: int,
    now: int,
) -> _ClockStops:
    """Return when a seat's clock does not run between two instants, though its person must act."""
    terms = record.settings.clock
    table = stopped_spans(record, time_lookup.away_spans(), now)
    if terms is None or not terms.is_slow:
        return _ClockStops(table, table, clock)
    hours = await time_lookup.personal_hours(person)
    counts_until = min(until, (record.absence.ends_at or 0) if record.last_deal else until)
    planned, clock = hours.vacation_days_and_clock(
        clock, allowed=record.settings.vacation, since=since, until=counts_until
    )
    lasting = ((start, instant_after(table, start, end - start)) for start, end in _vacation_days_of_turn(record, seat))
    return _ClockStops(table, merge_spans(table, hours.quiet_spans(since, until), planned, lasting), clock)


# --- at every change --------------------------------------------------------------------------------------------------


async def clock_consequences(
    time_lookup: TimeLookup, before: TableState, after: TableState, change: PendingChange
) -> tuple[AnyEvent, ...]:
    """Return the events that charge, stop and start clocks after a change of the table.

    One of the consequences that are computed after every change.
    """
    caller = change.request.caller
    person = None if caller is None else caller.person
    masked = change.request.masked_since
    return await clock_events(before, after, time_lookup, now=change.now, person=person, masked_since=masked)


async def clock_events(
    before: TableState,
    after: TableState,
    time_lookup: TimeLookup,
    *,
    now: int,
    person: int | None,
    masked_since: int | None = None,
) -> tuple[AnyEvent, ...]:
    """Return the events that charge the running clock after a change, and start the next one.

    `person` made the change. From `masked_since` on the clock is not charged, because the person's premove was held
    back until now.
    """
    terms = after.settings.clock
    ran = None if after.clocks is None else after.clocks.owes
    if terms is None or after.status is not Status.PLAYING or after.game is None:
        return _events_stopping_clock(after) if ran is not None else ()
    runs = seat_on_clock(after)
    worked = await _end_vacation(before, after, time_lookup, person=person, now=now)
    if ran is not None and ran == runs and masked_since is None and _is_clock_unchanged(before, after, ran):
        if after.is_halted and not before.is_halted:
            return await _charge_running_clock(after, time_lookup, ran, now)
        goes_on = before.is_halted and not after.is_halted
        again = (
            await rescheduled_alarms(apply_table_events(after, worked), time_lookup, now) if worked or goes_on else ()
        )
        return (*worked, *again)
    if runs is None and after.clocks is None:
        return ()
    events: list[AnyEvent] = []
    clocks = [time_rules.initial_clock(terms)] * len(after.seats) if after.clocks is None else list(after.clocks.seats)
    for seat in _seats_with_new_clock(before, after):
        clocks[seat] = time_rules.initial_clock(terms)
        events.append(ClockSet(seat, clocks[seat]))
    played = _seat_that_finished_late(before, after)
    if played is not None:
        clocks[played] = _add_turn_bonus(before, after, clocks[played], terms)
        events.append(ClockSet(played, clocks[played]))
    if ran is not None and _is_same_person(before, after, ran):
        masked = () if masked_since is None else ((masked_since, now),)
        clocks[ran] = await _charge_clock(
            before, after, ran, terms=terms, time_lookup=time_lookup, now=now, masked=masked
        )
        events.append(ClockSet(ran, clocks[ran]))
    for one in worked:
        clocks[one.seat] = replace(clocks[one.seat], worked=(one.at, one.day_end))
    events += worked
    if runs is None:
        return (*events, *(_events_stopping_clock(after) if ran is not None else ()))
    return (
        *events,
        *await _events_starting_clock(after, runs, clocks[runs], terms=terms, time_lookup=time_lookup, now=now),
    )


async def _end_vacation(
    before: TableState, after: TableState, time_lookup: TimeLookup, *, person: int | None, now: int
) -> tuple[VacationEnded, ...]:
    """Return the events that end the person's planned vacation, because they moved in a slow game."""
    seat = before.actor
    moved = seat is not None and person == before.seats[seat].person and after.game is not before.game
    if person is None or seat is None or not moved or not after.settings.is_slow or after.clocks is None:
        return ()
    day = (await time_lookup.personal_hours(person)).current_vacation_day(now, planned=True)
    if day is None or after.clocks.seats[seat].worked[1] == day[1]:
        return ()
    return (VacationEnded(seat, now, day[1]),)


def _is_clock_unchanged(before: TableState, after: TableState, seat: int) -> bool:
    """Return whether the seat's clock runs on: the turn, person, question and terms are the same."""
    same_terms = before.settings.clock == after.settings.clock
    if before.game is None or after.game is None or not (same_terms and _is_same_person(before, after, seat)):
        return False
    same_turn = turn_of(before.game) == turn_of(after.game)
    return same_turn and is_answer_awaited(before.game) == is_answer_awaited(after.game)


def _is_same_person(before: TableState, after: TableState, seat: int) -> bool:
    """Return whether the same person holds the seat before and after."""
    return before.seats[seat].person is not None and before.seats[seat].person == after.seats[seat].person


def _seats_with_new_clock(before: TableState, after: TableState) -> tuple[int, ...]:
    """Return the seats that get a full clock: all at the start, later those of new persons."""
    if after.clocks is None:
        return tuple(range(len(after.seats)))
    return tuple(
        seat
        for seat, (old, new) in enumerate(zip(before.seats, after.seats, strict=True))
        if new.person is not None and new.person not in (old.person, old.kept_for)
    )


def _events_stopping_clock(record: TableState) -> tuple[AnyEvent, ...]:
    """Return the events that stop the running clock and clear its alarm."""
    alarm = (DeadlineSet(Deadline.CLOCK, None),) if Deadline.CLOCK in record.deadlines else ()
    return (ClockStopped(), *alarm)


async def _charge_clock(
    before: TableState,
    after: TableState,
    seat: int,
    *,
    terms: ClockTerms,
    time_lookup: TimeLookup,
    now: int,
    masked: Spans,
) -> SeatClock:
    """Return the seat's clock after charging the time used, plus the turn bonus if its turn ended."""
    clocks, person = after.clocks, before.seats[seat].person
    if clocks is None or person is None or before.game is None or after.game is None:
        raise ValueError("no clock ran")
    clock = clocks.seats[seat]
    stops = await _clock_stops(time_lookup, after, seat, person, clock, since=clocks.since, until=now, now=now)
    clock = time_rules.charge_time(
        stops.clock, since=clocks.since, until=now, stopped_spans=merge_spans(masked, stops.all)
    )
    if is_turn_over(before.game, after.game, seat):
        return _add_turn_bonus(before, after, clock, terms)
    return time_rules.clock_after_answer(clock) if is_answer_awaited(before.game) else clock


async def _charge_running_clock(
    record: TableState, time_lookup: TimeLookup, seat: int, now: int
) -> tuple[AnyEvent, ...]:
    """Charge the running clock when the table is halted, so that players see the time left."""
    clocks = record.clocks
    if clocks is None or clocks.until is None:
        raise ValueError("no clock ran")
    charged = ClockSet(seat, await time_left(record, seat, time_lookup, now))
    return (charged, ClockRuns(seat, now, clocks.until, clocks.turn, clocks.decided_at))


def _add_turn_bonus(before: TableState, after: TableState, clock: SeatClock, terms: ClockTerms) -> SeatClock:
    """Return the clock with the bonus for a finished turn; no bonus for finishing it again after an undo."""
    nothing = after.last_deal or (before.game is not None and before.undone == turn_of(before.game))
    return replace(clock, allowance=0, extension=0) if nothing else time_rules.clock_after_turn(clock, terms)


def _seat_that_finished_late(before: TableState, after: TableState) -> int | None:
    """Return the seat whose player finished the turn although out of time; None if there is none."""
    seat = None if before.clocks is None else before.clocks.told
    if seat is None or before.game is None or after.game is None or not is_out_of_time(before):
        return None
    over = is_turn_over(before.game, after.game, seat)
    return seat if over and _is_same_person(before, after, seat) else None


async def _events_starting_clock(
    after: TableState, seat: int, clock: SeatClock, *, terms: ClockTerms, time_lookup: TimeLookup, now: int
) -> tuple[AnyEvent, ...]:
    """Return the events that start the seat's clock now."""
    game, person = after.game, after.seats[seat].person
    if game is None or person is None:
        raise ValueError("nobody owes anything")
    set_: tuple[AnyEvent, ...] = ()
    if is_answer_awaited(game) and not after.last_deal:
        clock = time_rules.clock_for_answer(clock, terms)
        set_ = (ClockSet(seat, clock),)
    stops = await _clock_stops(time_lookup, after, seat, person, clock, since=now, until=now + HORIZON, now=now)
    until = time_rules.instant_when_time_runs_out(clock, since=now, stopped_spans=stops.all)
    reminders = time_rules.reminder_instants(clock, terms, since=now, stopped_spans=stops.all)
    alarm_at = min((until + GRACE, *(instant for instant in reminders.values() if instant > now)))
    decided_at = _out_of_time_at(after, seat, clock, stops, since=now)
    return (*set_, ClockRuns(seat, now, until, turn_of(game), decided_at), DeadlineSet(Deadline.CLOCK, alarm_at))


def _out_of_time_at(
    record: TableState, seat: int, clock: SeatClock, clock_stops: _ClockStops, *, since: int
) -> int | None:
    """Return the latest instant at which the seat runs out of time.

    By then it has used its extension and vacation days.
    """
    terms = record.settings.clock
    if terms is None:
        return None
    extends = record.settings.extension and not clock.extended and not record.last_deal
    runs_out_at = instant_after(clock_stops.all, since, clock.time_left + (terms.extension_time if extends else 0))
    days = min(
        MOST_DAYS_A_TURN - len(_vacation_days_of_turn(record, seat)), record.settings.vacation - clock.vacation_days
    )
    standing = clock_stops.all
    for _ in range(days if terms.is_slow and not record.last_deal else 0):
        standing = merge_spans(standing, ((runs_out_at, instant_after(clock_stops.table, runs_out_at, DAY)),))
        runs_out_at = instant_after(standing, runs_out_at, 0)
    return runs_out_at


async def time_left(record: TableState, seat: int, time_lookup: TimeLookup, now: int) -> SeatClock:
    """Return the seat's clock with its time left now; a running clock is charged."""
    clocks, terms, person = record.clocks, record.settings.clock, record.seats[seat].person
    if clocks is None or terms is None:
        raise ValueError("nobody's time is counted")
    if clocks.owes != seat or person is None:
        return clocks.seats[seat]
    clock = clocks.seats[seat]
    stops = await _clock_stops(time_lookup, record, seat, person, clock, since=clocks.since, until=now, now=now)
    return time_rules.charge_time(stops.clock, since=clocks.since, until=now, stopped_spans=stops.all)


# --- alarms -----------------------------------------------------------------------------------------------------------


async def clock_alarm_events(record: TableState, time_lookup: TimeLookup, now: int) -> tuple[AnyEvent, ...]:
    """Return the events when a clock's alarm rings.

    They are the next stage of the seat's time, of which LAPSED is the last, or a new alarm.
    """
    clocks, terms = record.clocks, record.settings.clock
    seat = None if clocks is None else clocks.owes
    person = None if seat is None else record.seats[seat].person
    if clocks is None or terms is None or seat is None or person is None:
        return (DeadlineSet(Deadline.CLOCK, None),)
    clock, since = clocks.seats[seat], clocks.since
    stops = await _clock_stops(time_lookup, record, seat, person, clock, since=since, until=now + HORIZON, now=now)
    runs_out_at = time_rules.instant_when_time_runs_out(clock, since=since, stopped_spans=stops.all)
    over = max(runs_out_at + GRACE, earliest_deadline(terms, stops.table))
    if now < over:
        reminders = time_rules.reminder_instants(clock, terms, since=since, stopped_spans=stops.all)
        passed = [stage for stage, instant in reminders.items() if instant <= now]
        coming = [instant for instant in reminders.values() if instant > now]
        stage = max((clocks.stage, *passed), key=_ORDER.index)
        told = (
            _event_reaching_stage(record, seat, stage, runs_out_at, stops)
            if (stage, runs_out_at) != (clocks.stage, clocks.until)
            else ()
        )
        return (*told, DeadlineSet(Deadline.CLOCK, min((over, *coming))))
    present = not terms.is_slow or await is_present(time_lookup, record, person, runs_out_at, now=now)
    if present and record.settings.extension and not clock.extended and not record.last_deal:
        extended = replace(clock, extension=terms.extension_time, extended=True)
        until = time_rules.instant_when_time_runs_out(extended, since=since, stopped_spans=stops.all)
        told = _event_reaching_stage(record, seat, Stage.EXTENDED, until, stops, clock=extended)
        return (ClockSet(seat, extended), *told, DeadlineSet(Deadline.CLOCK, until + GRACE))
    counted = (
        await _clock_stops(time_lookup, record, seat, person, clock, since=since, until=runs_out_at, now=now)
    ).clock
    day = (
        await _end_of_automatic_vacation(record, time_lookup, person, counted, runs_out_at=runs_out_at, now=now)
        if present
        else None
    )
    if day is not None:
        taken = VacationDayTaken(seat, runs_out_at, day)
        ends = instant_after(stops.table, runs_out_at, day - runs_out_at)
        stops = replace(stops, all=merge_spans(stops.all, ((runs_out_at, ends),)))
        until = instant_after(stops.all, runs_out_at, 0)
        after = apply_table_events(record, (ClockSet(seat, counted), taken))
        told = _event_reaching_stage(after, seat, Stage.VACATION, until, stops)
        return (ClockSet(seat, counted), taken, *told, DeadlineSet(Deadline.CLOCK, until + GRACE))
    lapsed = replace(counted.charge(counted.time_left), lapses=counted.lapses + 1)
    return (
        ClockSet(seat, lapsed),
        StageReached(seat, Stage.LAPSED, runs_out_at),
        ClockStopped(),
        DeadlineSet(Deadline.CLOCK, None),
    )


async def _end_of_automatic_vacation(
    record: TableState, time_lookup: TimeLookup, person: int, clock: SeatClock, *, runs_out_at: int, now: int
) -> int | None:
    """Return the end of the vacation day that a player gets because the time is used up.

    It is a new day, or one that runs already. None if the table allows none, if the turn has had all days it may have,
    or if the person wants none or has none left.
    """
    clocks, terms = record.clocks, record.settings.clock
    if clocks is None or terms is None or not terms.is_slow or record.last_deal:
        return None
    if (
        len(_vacation_days_of_turn(record, clocks.owes)) >= MOST_DAYS_A_TURN
        or clock.vacation_days >= record.settings.vacation
    ):
        return None
    hours = await time_lookup.personal_hours(person)
    # If two tables are checked at the same moment, the time at the second table may have run out first.
    running = hours.current_vacation_day(runs_out_at) or hours.current_vacation_day(now)
    if not hours.automatic or (running is None and hours.days_left(now) < 1):
        return None
    return runs_out_at + DAY if running is None else running[1]


async def rescheduled_alarms(record: TableState, time_lookup: TimeLookup, now: int) -> tuple[AnyEvent, ...]:
    """Return a new alarm for the running clock after quiet hours or vacation days changed."""
    clocks, terms, due = record.clocks, record.settings.clock, record.deadlines.get(Deadline.CLOCK)
    seat = None if clocks is None else clocks.owes
    person = None if seat is None else record.seats[seat].person
    if clocks is None or terms is None or seat is None or person is None or due is None:
        return ()
    clock, since = clocks.seats[seat], clocks.since
    stops = await _clock_stops(time_lookup, record, seat, person, clock, since=since, until=now + HORIZON, now=now)
    runs_out_at = time_rules.instant_when_time_runs_out(clock, since=since, stopped_spans=stops.all)
    reminders = time_rules.reminder_instants(clock, terms, since=since, stopped_spans=stops.all)
    coming = [instant for stage, instant in reminders.items() if _ORDER.index(stage) > _ORDER.index(clocks.stage)]
    alarm_at = max(now, min((max(runs_out_at + GRACE, earliest_deadline(terms, stops.table)), *coming)))
    told = _event_reaching_stage(record, seat, clocks.stage, runs_out_at, stops) if runs_out_at != clocks.until else ()
    return (*told, DeadlineSet(Deadline.CLOCK, alarm_at)) if told or alarm_at < due else ()


def _event_reaching_stage(
    record: TableState, seat: int, stage: Stage, until: int, stops: _ClockStops, *, clock: SeatClock | None = None
) -> tuple[StageReached]:
    """Return the event that the seat's time has reached the stage, as a tuple.

    `clock` is the seat's clock from then on, if it differs from the record's.
    """
    clocks = record.clocks
    if clocks is None:
        raise ValueError("nobody's time is counted")
    clock = clock or clocks.seats[seat]
    return (StageReached(seat, stage, until, _out_of_time_at(record, seat, clock, stops, since=clocks.since)),)


def events_after_deal_end(
    record: TableState, ended: Iterable[AnyEvent], following: tuple[AnyEvent, ...]
) -> tuple[AnyEvent, ...]:
    """Return the events that follow the end of a deal: `following`, and perhaps the end of the game.

    `ended` are the events that end the deal, `following` those of the wait for the next one. The game ends early if it
    has had its number of deals, or at its latest end.
    """
    after = apply_table_events(record, (*ended, *following))
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


def conclusion(record: TableState, ending: str) -> Conclusion:
    """Return the end of a game with the scores of its finished deals.

    The best score wins; if several sides have it, no side wins.
    """
    scores = () if record.game is None else record.game.scores
    best = [side for side, score in enumerate(scores) if score == max(scores)]
    return Conclusion(ending, best[0] if len(best) == 1 else None, scores)


def end_game(record: TableState, conclusion: Conclusion) -> tuple[AnyEvent, ...]:
    """Return the events that end the game and clear its deadlines."""
    return (*(DeadlineSet(kind, None) for kind in record.deadlines), GameConcluded(conclusion))


def end_by_agreement(record: TableState) -> tuple[AnyEvent, ...]:
    """Return the events that end a game by agreement of its players.

    The side that leads after the finished deals wins.
    """
    return end_game(record, conclusion(record, "agreed"))


def end_by_resignation(record: TableState, side: int) -> tuple[AnyEvent, ...]:
    """Return the events that end a game by resignation of `side`, which comes last.

    The best of the other sides wins; if several are best, no side wins.
    """
    ending = conclusion(record, "resigned")
    others = {one: score for one, score in enumerate(ending.scores) if one != side}
    best = [one for one, score in others.items() if score == max(others.values())]
    winner = best[0] if len(best) == 1 else None
    return end_game(record, replace(ending, winner=winner, last=side))
