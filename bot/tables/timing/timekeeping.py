"""Keeping time: what a change of a table charges, whose clock runs then, and what comes of an alarm.

A clock is charged when it stops; until then only the instant since which it runs is kept. So an outage, quiet hours or
a day of vacation moves nothing: whoever asks works the charge out from what is known then.

Ends of a game that its rules do not know: so many deals are played, or the latest end has come.

The end of a game before its rules end it: finished deals stand, the deal in play is dropped.

Nothing of a dropped deal is published: its seed stays sealed, its hands stay hidden.
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
"""How far ahead quiet hours are looked at for telling when a clock will have run out."""

FOR_EVER: Final = 2**62

_ORDER: Final = tuple(Stage)


class Keeper(Protocol):
    """What is known of time beside the table."""

    async def standing(self, person: int, start: int, end: int, *, terms: ClockTerms, off_until: int) -> Spans:
        """When the person's clock stands between two instants; days of vacation count up to `off_until`."""

    async def take_day(self, person: int, start: int, now: int) -> bool:
        """Take a day of the person's vacation from an instant on, if there is one to take."""

    async def moved(self, person: int, now: int) -> None:
        """The person has moved, which ends a vacation."""

    def away(self) -> Spans:
        """When the bot was away."""

    def not_before(self, terms: ClockTerms) -> int:
        """Nobody's time is over before that instant, so shortly after an outage."""


class TimeKeeper:
    """A `Keeper` of personal times and the bot's own readiness; one for the whole process."""

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
    """Consequence: what any change does to the clocks."""
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
    """What a change of a table by that person does to its clocks: the one that ran is charged, another may run.

    From `masked_since` on the clock stood: what the person had prepared was held back until now.
    """
    terms = after.settings.clock
    ran = None if after.clocks is None else after.clocks.owes
    if terms is None or after.status is not Status.PLAYING or after.game is None:
        return _stopped(after) if ran is not None else ()
    runs = seat_on_clock(after)
    # Whoever plays ends a vacation; an answer about something else does not.
    plays = person is not None and ran is not None and person == after.seats[ran].person
    moved = person is not None and plays and terms.slow and after.game is not before.game
    if person is not None and moved:
        await keeper.moved(person, now)
    if ran is not None and ran == runs and masked_since is None and _goes_on(before, after, ran):
        return await rescheduled_alarms(after, keeper, now) if moved else ()
    if runs is None and after.clocks is None:
        return ()
    events: list[AnyEvent] = []
    clocks = [law.begun(terms)] * len(after.seats) if after.clocks is None else list(after.clocks.seats)
    for seat in _newcomers(before, after):
        clocks[seat] = law.begun(terms)
        events.append(ClockSet(seat, clocks[seat]))
    played = _played_though_lapsed(before, after)
    if played is not None:
        clocks[played] = _turn_ended(before, after, clocks[played], terms)
        events.append(ClockSet(played, clocks[played]))
    if ran is not None and _same_person(before, after, ran):
        masked = () if masked_since is None else ((masked_since, now),)
        clocks[ran] = await _charged(before, after, ran, terms=terms, keeper=keeper, now=now, masked=masked)
        events.append(ClockSet(ran, clocks[ran]))
    if runs is None:
        return (*events, *(_stopped(after) if ran is not None else ()))
    return (*events, *await _running(after, runs, clocks[runs], terms=terms, keeper=keeper, now=now))


def _goes_on(before: TableState, after: TableState, seat: int) -> bool:
    """Whether the seat's clock runs on as it ran: in one turn, for one person, one sort of debt and the same terms."""
    same_terms = before.settings.clock == after.settings.clock
    if before.game is None or after.game is None or not (same_terms and _same_person(before, after, seat)):
        return False
    same_turn = turn_of(before.game) == turn_of(after.game)
    return same_turn and is_answering(before.game) == is_answering(after.game)


def _same_person(before: TableState, after: TableState, seat: int) -> bool:
    return before.seats[seat].person is not None and before.seats[seat].person == after.seats[seat].person


def _newcomers(before: TableState, after: TableState) -> tuple[int, ...]:
    """Seats whose clock begins: all as a game begins, later those of persons who did not have the seat before."""
    if after.clocks is None:
        return tuple(range(len(after.seats)))
    return tuple(
        seat
        for seat, (old, new) in enumerate(zip(before.seats, after.seats, strict=True))
        if new.person is not None and new.person not in (old.person, old.kept_for)
    )


def _stopped(record: TableState) -> tuple[AnyEvent, ...]:
    alarm = (DeadlineSet(Deadline.CLOCK, None),) if Deadline.CLOCK in record.deadlines else ()
    return (ClockStopped(), *alarm)


async def _charged(
    before: TableState, after: TableState, seat: int, *, terms: ClockTerms, keeper: Keeper, now: int, masked: Spans
) -> SeatClock:
    """The clock of the seat that ran, with what its turn's end brings."""
    clocks, person = after.clocks, before.seats[seat].person
    if clocks is None or person is None or before.game is None or after.game is None:
        raise ValueError("no clock ran")
    stood = await keeper.standing(person, clocks.since, now, terms=terms, off_until=_off_until(after))
    standing = union(masked, stood)
    clock = law.spent(clocks.seats[seat], since=clocks.since, until=now, standing=standing)
    if turn_is_over(before.game, after.game, seat):
        return _turn_ended(before, after, clock, terms)
    return law.answered(clock) if is_answering(before.game) else clock


def _turn_ended(before: TableState, after: TableState, clock: SeatClock, terms: ClockTerms) -> SeatClock:
    """The clock with what the end of its own turn brings; a turn whose end was taken back has had that."""
    nothing = after.last_deal or (before.game is not None and before.undone == turn_of(before.game))
    return replace(clock, allowance=0, extension=0) if nothing else law.turn_ended(clock, terms)


def _played_though_lapsed(before: TableState, after: TableState) -> int | None:
    """The seat that has played its turn to the end by itself, though its time was used up."""
    seat = None if before.clocks is None else before.clocks.told
    if seat is None or before.game is None or after.game is None or not is_out_of_time(before):
        return None
    over = turn_is_over(before.game, after.game, seat)
    return seat if over and _same_person(before, after, seat) else None


async def _running(
    after: TableState, seat: int, clock: SeatClock, *, terms: ClockTerms, keeper: Keeper, now: int
) -> tuple[AnyEvent, ...]:
    """The seat's clock runs from now on."""
    game, person = after.game, after.seats[seat].person
    if game is None or person is None:
        raise ValueError("nobody owes anything")
    set_: tuple[AnyEvent, ...] = ()
    if is_answering(game) and not after.last_deal:
        clock = law.answering(clock, terms)
        set_ = (ClockSet(seat, clock),)
    standing = await keeper.standing(person, now, now + HORIZON, terms=terms, off_until=_off_until(after))
    until = law.ends_at(clock, since=now, standing=standing)
    reminders = law.reminder_instants(clock, terms, since=now, standing=standing)
    rings = min((until + LATE, *(instant for instant in reminders.values() if instant > now)))
    return (*set_, ClockRuns(seat, now, until, turn_of(game)), DeadlineSet(Deadline.CLOCK, rings))


def _off_until(record: TableState) -> int:
    """Until when days of vacation count at that table: never, up to the latest end, or for ever."""
    if not record.settings.vacation:
        return 0
    return (record.absence.ends_at or 0) if record.last_deal else FOR_EVER


async def time_left(record: TableState, seat: int, keeper: Keeper, now: int) -> SeatClock:
    """What a seat has left now, a clock that runs being charged."""
    clocks, terms, person = record.clocks, record.settings.clock, record.seats[seat].person
    if clocks is None or terms is None:
        raise ValueError("nobody's time is counted")
    if clocks.owes != seat or person is None:
        return clocks.seats[seat]
    standing = await keeper.standing(person, clocks.since, now, terms=terms, off_until=_off_until(record))
    return law.spent(clocks.seats[seat], since=clocks.since, until=now, standing=standing)


# --- on ringing -------------------------------------------------------------------------------------------------------


async def clock_alarm_events(record: TableState, keeper: Keeper, now: int) -> tuple[AnyEvent, ...]:
    """What comes of an alarm: a stage of the time is reached, or it is only set again. The last stage is LAPSED."""
    clocks, terms = record.clocks, record.settings.clock
    seat = None if clocks is None else clocks.owes
    person = None if seat is None else record.seats[seat].person
    if clocks is None or terms is None or seat is None or person is None:
        return (DeadlineSet(Deadline.CLOCK, None),)
    clock = clocks.seats[seat]
    standing = await keeper.standing(person, clocks.since, now + HORIZON, terms=terms, off_until=_off_until(record))
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
        return (ClockSet(seat, extended), *_reached(seat, Stage.EXTENDED, until))
    allowed = record.settings.vacation - clock.vacation_days
    if terms.slow and allowed > 0 and not record.last_deal and await keeper.take_day(person, zero, now):
        away = replace(clock, vacation_days=clock.vacation_days + 1)
        return (ClockSet(seat, away), *_reached(seat, Stage.VACATION, zero + DAY))
    lapsed = replace(clock.charged(clock.left), lapses=clock.lapses + 1)
    return (
        ClockSet(seat, lapsed),
        StageReached(seat, Stage.LAPSED, zero),
        ClockStopped(),
        DeadlineSet(Deadline.CLOCK, None),
    )


async def rescheduled_alarms(record: TableState, keeper: Keeper, now: int) -> tuple[AnyEvent, ...]:
    """What follows for the clock that runs from other quiet hours or days of vacation: another end, another alarm."""
    clocks, terms, due = record.clocks, record.settings.clock, record.deadlines.get(Deadline.CLOCK)
    seat = None if clocks is None else clocks.owes
    person = None if seat is None else record.seats[seat].person
    if clocks is None or terms is None or seat is None or person is None or due is None:
        return ()
    clock = clocks.seats[seat]
    standing = await keeper.standing(person, clocks.since, now + HORIZON, terms=terms, off_until=_off_until(record))
    zero = law.ends_at(clock, since=clocks.since, standing=standing)
    reminders = law.reminder_instants(clock, terms, since=clocks.since, standing=standing)
    coming = [instant for stage, instant in reminders.items() if _ORDER.index(stage) > _ORDER.index(clocks.stage)]
    rings = max(now, min((max(zero + LATE, keeper.not_before(terms)), *coming)))
    told = (StageReached(seat, clocks.stage, zero),) if zero != clocks.until else ()
    return (*told, DeadlineSet(Deadline.CLOCK, rings)) if told or rings < due else ()


def _reached(seat: int, stage: Stage, until: int) -> tuple[AnyEvent, ...]:
    return StageReached(seat, stage, until), DeadlineSet(Deadline.CLOCK, until + LATE)


def concluded(record: TableState, ended: Iterable[AnyEvent], following: tuple[AnyEvent, ...]) -> tuple[AnyEvent, ...]:
    """What follows the end of a deal (`ended`), or the end of the game in its place where no other deal is to come."""
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
    """The end of a game as its finished deals stand: the best score wins, and nobody where that is shared."""
    scores = () if record.game is None else record.game.scores
    best = [side for side, score in enumerate(scores) if score == max(scores)]
    return Conclusion(how, best[0] if len(best) == 1 else None, scores)


def concluding(record: TableState, conclusion: Conclusion) -> tuple[AnyEvent, ...]:
    """The end of the game; nothing is waited for any more."""
    return (*(DeadlineSet(kind, None) for kind in record.deadlines), GameConcluded(conclusion))


def agreed(record: TableState) -> tuple[AnyEvent, ...]:
    """The end that all persons want: whoever leads after the finished deals has won."""
    return concluding(record, conclusion(record, "agreed"))


def resigned(record: TableState, side: int) -> tuple[AnyEvent, ...]:
    """The end that one side gives up for: it is last, and the best of the others has won, if there is one best."""
    ending = conclusion(record, "resigned")
    others = {one: score for one, score in enumerate(ending.scores) if one != side}
    best = [one for one, score in others.items() if score == max(others.values())]
    winner = best[0] if len(best) == 1 else None
    return concluding(record, replace(ending, winner=winner, last=side))
