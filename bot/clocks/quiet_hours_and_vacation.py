"""A person's quiet hours and vacation, in which slow clocks stop (`docs/long-games.md`, 3).

Vacation is fourteen days in any 365. A day lasts its 24 hours. Planned days stop the person's clocks at every slow
table that allows vacation. The person's first move ends them, and gives back the days that have not begun. A day that
was taken because a clock ran out stops only the clocks whose time is used up.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final
from weakref import WeakValueDictionary

from bot.clocks import quiet_hours
from bot.clocks.clock import Span, Spans, clip_spans, merge_spans
from bot.clocks.quiet_hours import DAY, DatedQuietHours, QuietWindow
from bot.clocks.time_rules import SeatClock
from bot.listeners import Listeners
from bot.numbered_cache import NumberedCache
from bot.store.errors import InvalidWrite
from bot.store.timers_and_uptime import PersonTimes, TimeStore

logger = logging.getLogger(__name__)

DAYS_A_YEAR: Final = 14
YEAR: Final = 365 * DAY

MOST_CACHED: Final = 5_000
"""The number of people whose times are cached."""


class VacationCode(StrEnum):
    """Reasons why a vacation is refused; the value is the stable name."""

    ORDER = "vacation_order"  # the vacation would end before it begins, or in the past
    DAYS = "vacation_days"  # more days than are left; its text needs "days", "left"


class VacationProblem(ValueError):
    """Raised when a vacation is refused; nothing was changed."""

    def __init__(self, code: VacationCode, **detail: int) -> None:
        super().__init__(code.value)
        self.code = code
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Vacation:
    """A vacation of whole days between two instants.

    `ended_at` is set if a move ended planned days early: it is the end of the day that ran. `automatic` means that the
    day was taken because a clock ran out.
    """

    start: int
    end: int
    ended_at: int | None = None
    automatic: bool = False

    @property
    def actual_end(self) -> int:
        """The instant at which the vacation ended or will end."""
        return self.end if self.ended_at is None else self.ended_at

    @property
    def days(self) -> tuple[int, ...]:
        """Return the starts of the vacation's days; a day that has begun is used up."""
        return tuple(range(self.start, max(self.actual_end, self.start + 1), DAY))

    @property
    def day_spans(self) -> Spans:
        """The days of the vacation, as spans of time."""
        return tuple((start, start + DAY) for start in self.days)


@dataclass(frozen=True, slots=True)
class PersonalHours:
    """A person's quiet hours and vacation.

    Each of the `quiet` hours has the instant from which it applies.

    `automatic` means that days of vacation are taken when a clock runs out.
    """

    quiet: tuple[DatedQuietHours, ...] = ()
    vacations: tuple[Vacation, ...] = ()
    automatic: bool = True

    @property
    def window(self) -> QuietWindow | None:
        """The quiet hours that the person chose last; None if they chose none."""
        return self.quiet[-1].window if self.quiet else None

    def quiet_spans(self, start: int, end: int) -> Spans:
        """Return the quiet hours between two instants."""
        return quiet_hours.quiet_spans(self.quiet, start, end)

    def vacation_days_and_clock(
        self, clock: SeatClock, *, allowed: int, since: int, until: int
    ) -> tuple[Spans, SeatClock]:
        """Return the planned days of vacation that stop a seat's clock between two instants, and the clock.

        The seat's person must act at the table all that time. Each day that overlaps it is counted in the returned
        clock, as one of the `allowed` days of vacation in the game.
        """
        spans: list[Span] = []
        for start, end in sorted(day for one in self.vacations if not one.automatic for day in one.day_spans):
            ends = clock.worked[0] if clock.worked[0] < end <= clock.worked[1] else end
            if ends <= max(start, since) or start >= until:
                continue
            if end > clock.counted_until:
                if clock.vacation_days >= allowed:
                    continue
                clock = replace(clock, vacation_days=clock.vacation_days + 1, counted_until=end)
            spans.append((start, ends))
        return clip_spans(merge_spans(spans), since, until), clock

    def current_vacation_day(self, now: int, *, planned: bool = False) -> Span | None:
        """Return the day of vacation that runs now; with `planned`, only a day that was planned."""
        days = (day for one in self.vacations if not (planned and one.automatic) for day in one.day_spans)
        return next(((start, end) for start, end in days if start <= now < end), None)

    def with_vacation_day(self, start: int, end: int) -> PersonalHours:
        """Return the person's hours with a vacation day that is taken automatically.

        They are unchanged if a vacation day with the same end exists.
        """
        if any(end == day_end for one in self.vacations for _, day_end in one.day_spans):
            return self
        return replace(self, vacations=(*self.vacations, Vacation(start, end, automatic=True)))

    def with_planned_days_ended(self, at: int, day_end: int) -> PersonalHours:
        """Return the person's hours after a move at the instant `at`: planned vacation ends at `day_end`."""
        after = (
            replace(one, ended_at=day_end) if not one.automatic and one.start <= at < one.actual_end else one
            for one in self.vacations
        )
        return replace(self, vacations=tuple(after))

    def end_of_quiet_hours(self, now: int) -> int | None:
        """Return the end of the quiet hours that run now, or None."""
        return next(
            (end for start, end in quiet_hours.quiet_spans(self.quiet, now - DAY, now + DAY) if start <= now < end),
            None,
        )

    def current_vacation(self, now: int) -> Vacation | None:
        """Return the planned vacation that runs now, or None."""
        return next((one for one in self.vacations if not one.automatic and one.start <= now < one.actual_end), None)

    def days_left(self, now: int) -> int:
        """Return the days of vacation left, not counting planned ones."""
        return DAYS_A_YEAR - sum(start > now - YEAR for one in self.vacations for start in one.days)


TRIES: Final = 3
"""Number of attempts to store a change of times while other processes keep storing theirs first."""


class PersonalTimes:
    """The quiet hours and vacations of all people, cached; one instance per process.

    When another process changes a person's hours, it sends a notification, and the cached ones are evicted.
    """

    def __init__(self, times: TimeStore) -> None:
        self._times = times
        self._known = NumberedCache(MOST_CACHED, self._load_hours)
        self._listeners = Listeners[int](logger)
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def subscribe(self, listener: Callable[[int], None]) -> None:
        """Call `listener` with each person whose quiet hours or vacation have changed."""
        self._listeners.add(listener)

    async def hours_of(self, person: int) -> PersonalHours:
        """Return a person's quiet hours and vacation."""
        return (await self._known.get(person))[0]

    async def _load_hours(self, person: int) -> tuple[PersonalHours, str | None]:
        """Return a person's hours, and the text in which they are stored (None if they are not)."""
        text = await self._times.personal_hours(person)
        return self._read_stored_hours(person, text), text

    def _read_stored_hours(self, person: int, text: str | None) -> PersonalHours:
        """Return the stored hours of a person; unreadable ones count as none until new ones are chosen."""
        try:
            found = read_personal_hours(text)
        except (ValueError, TypeError, KeyError) as error:
            self._times.set_aside.note("setting", person, type(error).__name__)
            return PersonalHours()
        return found

    async def days_left(self, person: int, now: int) -> int:
        """Return the days of vacation that the person may still use."""
        return (await self.hours_of(person)).days_left(now)

    async def set_quiet_hours(self, person: int, window: QuietWindow | None, now: int) -> PersonalHours:
        """Set or remove a person's quiet hours.

        The first ones apply at once, later ones after a day.
        """

        def with_window(before: PersonalHours) -> PersonalHours:
            return replace(before, quiet=quiet_hours.history_with_new_quiet_hours(before.quiet, window, now))

        return await self._change_hours(person, with_window)

    async def _change_hours(self, person: int, change: Callable[[PersonalHours], PersonalHours]) -> PersonalHours:
        """Apply `change` to a person's hours and store the result.

        If another process has changed them meanwhile, the change is applied to its version.
        """
        async with self.lock(person):
            for _ in range(TRIES - 1):
                try:
                    return await self._cache_hours(person, change(await self.hours_of(person)))
                except InvalidWrite:
                    continue
            return await self._cache_hours(person, change(await self.hours_of(person)))

    async def set_automatic_vacation(self, person: int, *, automatic: bool) -> PersonalHours:
        """Set whether vacation days are taken automatically when a clock runs out."""
        return await self._change_hours(person, lambda before: replace(before, automatic=automatic))

    async def plan_vacation(self, person: int, start: int, end: int, now: int) -> PersonalHours:
        """Plan a person's vacation, replacing the one planned before. Raises `VacationProblem`."""

        def with_planned_vacation(before: PersonalHours) -> PersonalHours:
            if end <= start or end <= now:
                raise VacationProblem(VacationCode.ORDER)
            kept = tuple(one for one in before.vacations if one.start <= now)
            days = -(-(end - start) // DAY)
            left = replace(before, vacations=kept).days_left(now)
            if days > left:
                raise VacationProblem(VacationCode.DAYS, days=days, left=left)
            planned = Vacation(start, start + days * DAY)
            return replace(before, vacations=(*kept, planned))

        return await self._change_hours(person, with_planned_vacation)

    async def forget(self, person: int) -> None:
        """Delete a deleted person's hours from the cache."""
        await self._times.forget_personal_times(person)
        self.evict(person)

    def evict(self, person: int | None) -> None:
        """Evict the hours of a person, which another process has changed; None evicts all."""
        self._known.evict_one_or_all(person)

    def lock(self, person: int) -> asyncio.Lock:
        """Return the lock that serialises changes of the person's quiet hours and vacation."""
        return self._locks.setdefault(person, asyncio.Lock())

    def note_hours_stored(self, person: int, personal: PersonalHours) -> PersonalHours:
        """Evict a person's hours, which were just stored, notify the listeners, and return the hours.

        They are not cached, because another process may have replaced them already.
        """
        self._known.evict(person)
        self._listeners.notify(person)
        return personal

    async def _cache_hours(self, person: int, personal: PersonalHours) -> PersonalHours:
        try:
            await self._times.set_personal_times(self.row_to_store(person, personal))
        except InvalidWrite:
            self.evict(person)
            raise
        return self.note_hours_stored(person, personal)

    def row_to_store(self, person: int, personal: PersonalHours) -> PersonTimes:
        """Return the row that stores a person's new hours in place of those that `hours_of` last returned."""
        return PersonTimes(person, stored_hours_text(personal), self._cached_hours_text(person))

    async def have_hours_changed(self, person: int) -> bool:
        """Return whether another process has changed the person's cached hours; if so, evict them."""
        if not self._known.is_cached(person) or await self._times.personal_hours(person) == self._cached_hours_text(
            person
        ):
            return False
        self.evict(person)
        return True

    def _cached_hours_text(self, person: int) -> str | None:
        """Return the stored text of a person's cached hours; None if none are cached or stored."""
        known = self._known.peek(person)
        return None if known is None else known[1]


def stored_hours_text(personal: PersonalHours) -> str | None:
    """Return a person's hours as they are stored; None if nothing is set."""
    return None if personal == PersonalHours() else personal_hours_json(personal)


def personal_hours_json(personal: PersonalHours) -> str:
    """Return a person's quiet hours and vacation as JSON text."""
    windows = [
        [one.at, None if one.window is None else [one.window.zone, one.window.start, one.window.hours]]
        for one in personal.quiet
    ]
    vacations = [[one.start, one.end, one.ended_at, one.automatic] for one in personal.vacations]
    data = {"quiet": windows, "vacations": vacations, "automatic": personal.automatic}
    return json.dumps(data, separators=(",", ":"))


def read_personal_hours(text: str | None) -> PersonalHours:
    """Read stored hours of a person; quiet hours in an unknown time zone count as none.

    Raises `ValueError`, `TypeError` or `KeyError` for a text that is damaged.
    """
    if text is None:
        return PersonalHours()
    data: dict[str, Any] = json.loads(text)
    if data.keys() != {"quiet", "vacations", "automatic"} or type(data["automatic"]) is not bool:
        raise ValueError("other fields")
    return PersonalHours(
        tuple(DatedQuietHours(_read_number(at), _read_window(window)) for at, window in data["quiet"]),
        tuple(_read_vacation(*one) for one in data["vacations"]),
        data["automatic"],
    )


def _read_vacation(start: Any, end: Any, ended_at: Any, automatic: Any) -> Vacation:
    if not 0 <= _read_number(end) - _read_number(start) <= YEAR or type(automatic) is not bool:
        raise ValueError("no vacation")
    return Vacation(start, end, None if ended_at is None else min(_read_number(ended_at), end), automatic)


def _read_window(data: list[Any] | None) -> QuietWindow | None:
    if data is None or not quiet_hours.is_known_zone(data[0]):
        return None
    zone, start, hours = data
    return QuietWindow(zone, _read_number(start), _read_number(hours))


def _read_number(value: Any) -> int:
    if type(value) is not int:
        raise ValueError("no number")
    return value
