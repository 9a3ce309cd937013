"""Load, cache, change and store series; every change takes the same path, as with tournaments.

It locks the series, loads it, checks whether the request was already handled, takes the step, and stores the result
with the tournaments that it makes. Only then are the listeners notified.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from bot.clocks.clock import Clock
from bot.listeners import Listeners
from bot.numbered_cache import NumberedCache, ShieldedTasks
from bot.series.alarms import alarms
from bot.series.hosting import removed_tournaments
from bot.series.refusals import SeriesCode, SeriesRefusal
from bot.series.series import Series
from bot.series.stored_forms import read_series, write_series
from bot.store.errors import UndecodableData
from bot.store.series.store import NewNight, SeriesChange
from bot.store.store import Store
from bot.tables.state.snapshots import Caller
from bot.tournaments.core.repository import TournamentRepository, TournamentRequest
from bot.tournaments.core.stored_forms import TournamentPersons
from bot.tournaments.event.tournament import Tournament

KEPT: Final = 64
"""Number of series in the cache."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TournamentCreation:
    """The result of a step that creates tournaments.

    It has the drafts by season and night, and a function from the ids of their tournaments to the new series.
    """

    drafts: tuple[tuple[int, int, Tournament], ...]
    after: Callable[[Sequence[int]], Series]


Step: TypeAlias = Callable[[Series, int], Awaitable[Series | TournamentCreation]]
"""Takes a series and an instant (UTC milliseconds); returns the same object if nothing changes."""


@dataclass(frozen=True, slots=True)
class SeriesChanged:
    """Event: a change of a series is stored. `due` is its next alarm in UTC milliseconds."""

    series: int
    version: int
    kind: str
    due: int | None


class SeriesRepository:
    """Loads, caches and changes series; no other process writes the database, so the cache is valid."""

    def __init__(self, store: Store, clock: Clock, tournaments: TournamentRepository) -> None:
        self.store = store
        self.clock = clock
        self._tournaments = tournaments
        self._cache = NumberedCache(KEPT, self._load)
        self._tasks = ShieldedTasks()
        self._listeners = Listeners[SeriesChanged](logger)

    def subscribe(self, listener: Callable[[SeriesChanged], None]) -> None:
        """Call `listener` after each stored change of a series."""
        self._listeners.add(listener)

    async def finish(self) -> None:
        """Wait until every change in progress is stored."""
        await self._tasks.finish()

    def owns_guild(self, guild: int) -> bool:
        """Return whether this process owns a guild's series; others leave them to their owner."""
        return self.store.shards.owns(guild)

    async def evict_all(self) -> None:
        """Drop all series from the cache after the store has changed their people."""
        await self._cache.evict_all()

    async def series(self, series_number: int) -> Series:
        """Return the series as it is now. Refusal: unknown_series."""
        series = (await self._cache.get(series_number))[0]
        if not self.owns_guild(series.guild):
            self._cache.evict(series_number)  # the process that owns it changes it without notifying this one
        return series

    async def load_readable_series(self, numbers: Sequence[int]) -> tuple[Series, ...]:
        """Return these series, skipping and logging any that cannot be read."""
        found = []
        for number in numbers:
            try:
                found.append(await self.series(number))
            except SeriesRefusal:
                continue
        return tuple(found)

    async def _load(self, series_number: int) -> tuple[Series, TournamentPersons]:
        """Return the series and its people from the cache, else from the store."""
        stored = (
            None
            if series_number in self.store.set_aside.numbers("series")
            else await self.store.series.load(series_number)
        )
        if stored is None:
            raise SeriesRefusal(SeriesCode.UNKNOWN_SERIES, {"series": series_number})
        people = TournamentPersons(await self.store.series.people(series_number))
        try:
            return read_series(stored, people), people
        except UndecodableData as fault:
            self.store.set_aside.note("series", series_number, fault, series=series_number)
            raise SeriesRefusal(SeriesCode.UNKNOWN_SERIES, {"series": series_number}) from None

    async def create(self, series: Series, caller: Caller) -> Series:
        """Store a new series; a repeated request returns the series it made the first time."""
        served = await self.store.series.series_of_request(caller.request)
        if served is None:
            change = self._change_to_store(series, TournamentPersons(), "create", caller, now=self.clock.now())
            served = await self.store.series.create(change)
            self._notify(change, served)
        return await self.series(served)

    async def change(self, series_number: int, kind: str, step: Step, caller: Caller | None = None) -> Series:
        """Take the step and store its result; a repeated request or a step without effect stores nothing.

        Refusals: unknown_series, stale_series, and those of the step.
        """
        return await self._tasks.run(self._change(series_number, kind, step, caller))

    async def _change(self, series_number: int, kind: str, step: Step, caller: Caller | None) -> Series:
        """Take the step and store its result, under the series' lock."""
        async with self._cache.lock(series_number):
            series, known = await self._cache.get(series_number)
            if caller is not None and caller.guild is not None and caller.guild != series.guild:
                raise SeriesRefusal(SeriesCode.UNKNOWN_SERIES, {"series": series_number})
            if caller is not None and await self._is_repeated_request(series_number, caller):
                return series
            now = self.clock.now()
            taken = await step(series, now)
            if taken is series:
                return series
            making = taken if isinstance(taken, TournamentCreation) else None
            people = TournamentPersons(known.rows)
            after = series

            def change_to_commit(tournament_numbers: Sequence[int]) -> SeriesChange:
                nonlocal after, people
                people = TournamentPersons(known.rows)
                after = taken.after(tournament_numbers) if isinstance(taken, TournamentCreation) else taken
                after = replace(after, version=series.version + 1)
                change = self._change_to_store(after, people, kind, caller, now=now)
                return replace(change, dropped=removed_tournaments(series, after))

            request = TournamentRequest("create", None)
            nights = [
                NewNight(
                    season=season, number=place, change=self._tournaments.change_for_new_tournament(draft, request)
                )
                for season, place, draft in (() if making is None else making.drafts)
            ]
            change = await self._commit(series_number, change_to_commit, nights)
            stored = replace(after, names=people.names)
            self._cache.put(series_number, (stored, TournamentPersons(people.rows)))
            self._notify(change, series_number)
            return stored

    async def _commit(
        self, series_number: int, change_to_commit: Callable[[Sequence[int]], SeriesChange], nights: Sequence[NewNight]
    ) -> SeriesChange:
        """Store a change with the tournaments that it creates; on failure evict the series from the cache."""
        try:
            change = await self.store.series.commit(change_to_commit, nights)
        except BaseException:
            self._cache.evict(series_number)
            raise
        if change is None:
            self._cache.evict(series_number)
            logger.error("the stored series is not the cached one", extra={"series": series_number})
            raise SeriesRefusal(SeriesCode.STALE_SERIES, {"series": series_number})
        return change

    async def _is_repeated_request(self, series_number: int, caller: Caller) -> bool:
        """Return whether this request was already carried out at this series."""
        served = await self.store.series.series_of_request(caller.request)
        if served not in (None, series_number):
            raise SeriesRefusal(SeriesCode.REQUEST_SERVED)
        return served is not None

    def _change_to_store(
        self, series: Series, people: TournamentPersons, kind: str, caller: Caller | None, *, now: int
    ) -> SeriesChange:
        """Return the data to write for the series' new state."""
        if caller is not None:
            people.set_name(caller.person, caller.name)
        for person, name in series.names.items():
            if name:
                people.set_name(person, name)
        snapshot = write_series(series, people)
        return SeriesChange(
            series=series.id,
            guild=series.guild,
            channel=series.channel,
            version=max(series.version, 1),
            stage=series.stage.value,
            due_at=next((one.at for one in alarms(series)), None),
            snapshot=snapshot,
            request=None if caller is None else caller.request,
            by=0 if caller is None else people.number(caller.person),
            kind=kind,
            at=now,
            people=people.new_rows,
        )

    def announce_changed_people(self, series_number: int) -> None:
        """Notify the listeners that the people of a series have changed, so that it must be shown again."""
        self._listeners.notify(SeriesChanged(series_number, 0, "people", None), series=series_number, event=0)

    def _notify(self, change: SeriesChange, series_number: int) -> None:
        """Notify the listeners of a stored change."""
        changed = SeriesChanged(series_number, change.version, change.kind, change.due_at)
        self._listeners.notify(changed, series=series_number, event=change.version)
