"""Load, cache, change and store tournaments; every change takes the same path.

It locks the tournament, loads it, checks whether the request was already handled, delays times by the bot's absence,
takes the step and stores the result. Only then are the listeners notified.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from bot.clocks.clock import Clock, Spans, covered_time
from bot.listeners import Listeners
from bot.numbered_cache import NumberedCache, ShieldedTasks
from bot.store.errors import UndecodableData
from bot.store.store import Store
from bot.store.tournaments import TournamentChange, TournamentSecret, TournamentStep
from bot.tables.state.snapshots import Caller
from bot.tournaments.core.faults import READ, TournamentFaults
from bot.tournaments.core.promised_effects import promises_of_change
from bot.tournaments.core.stored_forms import TournamentPersons, read_tournament, write_tournament
from bot.tournaments.event.alarms import delay_by_bot_absence
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.tournament import Tournament

KEPT: Final = 64
"""Number of tournaments in the cache."""

MANY_PARTS: Final = 500
"""From this many parts on a tournament is read in a thread: a thousand take about 40 ms."""

PLAYERS: Final = (
    "enter",
    "agree",
    "decline",
    "leave",
    "sit_out",
    "here",
    "case",
    "challenge",
    "answer_challenge",
    "offer_times",
    "suits",
    "ask_regular",
    "answer_regular",
    "lineup",
    "stand_in",
)
"""Kinds of requests made by players; all other requests of people are made by directors."""

logger = logging.getLogger(__name__)

READABLE: Final = "readable"
"""The kind of change announced when a tournament that could not be read can be read again."""

Step: TypeAlias = Callable[[Tournament, int], Awaitable[Tournament]]
"""Takes a tournament and an instant (UTC milliseconds); returns the same object if nothing changes."""


@dataclass(frozen=True, slots=True)
class TournamentRequest:
    """A request to change a tournament: kind, caller (None: the clock, or a table), log details.

    `expected_version` is the version that the caller looked at: a director's change since then makes the request stale.
    """

    kind: str
    caller: Caller | None = None
    detail: Mapping[str, object] = field(default_factory=dict)
    secrets: tuple[TournamentSecret, ...] = field(default=(), repr=False)
    expected_version: int | None = None


@dataclass(frozen=True, slots=True)
class TournamentChanged:
    """Event: a change of a tournament is stored, or a fault (version 0).

    `due` is its next alarm (UTC milliseconds).
    """

    tournament: int
    version: int
    kind: str
    due: int | None


class TournamentRepository:
    """Loads, caches and changes tournaments; no other process writes the database, so the cache is valid."""

    def __init__(self, store: Store, clock: Clock, away: Callable[[], Spans]) -> None:
        self.store = store
        self.clock = clock
        self._away = away
        self._cache = NumberedCache(KEPT, self._load)
        self._tasks = ShieldedTasks()
        self._listeners = Listeners[TournamentChanged](logger)
        self.faults = TournamentFaults(store, clock, self._announce_alarm)

    def subscribe(self, listener: Callable[[TournamentChanged], None]) -> None:
        """Call `listener` after every stored change."""
        self._listeners.add(listener)

    def _announce_alarm(self, tournament_number: int, due: int | None) -> None:
        """Announce a new time for the tournament's next alarm."""
        self._listeners.notify(
            TournamentChanged(tournament_number, 0, "fault", due), tournament=tournament_number, event=0
        )

    async def finish(self) -> None:
        """Wait until every change in progress is stored."""
        await self._tasks.finish()

    async def evict_all(self) -> None:
        """Drop all tournaments from the cache after the store has changed their people.

        Waits for changes in progress.
        """
        await self._cache.evict_all()

    async def tournament(self, tournament_number: int) -> Tournament:
        """Return the tournament as it is now. Refusals: unknown_tournament, unreadable."""
        tournament = (await self._cache.get(tournament_number))[0]
        if not self.store.shards.owns(tournament.guild):
            self._cache.evict(tournament_number)  # the process that owns it changes it without notifying this one
        return tournament

    async def reload_tournament(self, tournament_number: int) -> Tournament:
        """Return the tournament as it is now, reading it again even if that failed before.

        Refusals: unknown_tournament, unreadable. If it had failed before, the listeners are notified of a change of
        kind `READABLE`.
        """
        failed = tournament_number in self.store.set_aside.numbers("tournament")
        self.store.set_aside.retry("tournament", tournament_number)
        tournament = await self.tournament(tournament_number)
        self.store.set_aside.clear("tournament", tournament_number)
        await self.faults.record_recovery(tournament_number, (READ, 0), tournament)
        if failed:
            self._notify(tournament_number, tournament.version, READABLE, tournament)
        return tournament

    async def _load(self, tournament_number: int) -> tuple[Tournament, TournamentPersons]:
        """Return the tournament and its people from the cache, else from the store."""
        if tournament_number in self.store.set_aside.numbers("tournament"):
            raise TournamentRefusal(TournamentCode.UNREADABLE, {"tournament": tournament_number})
        people = TournamentPersons(await self.store.tournaments.people(tournament_number))
        try:
            stored = await self.store.tournaments.load(tournament_number)
            if stored is None:
                raise TournamentRefusal(TournamentCode.UNKNOWN_TOURNAMENT, {"tournament": tournament_number})
            if len(stored.parts) < MANY_PARTS:
                return read_tournament(stored, people), people
            return await asyncio.to_thread(read_tournament, stored, people), people
        except UndecodableData as fault:
            self.store.set_aside.note("tournament", tournament_number, fault, tournament=tournament_number)
            self._tasks.start(self.faults.record_failure(tournament_number, (READ, 0), fault, None))
            raise TournamentRefusal(TournamentCode.UNREADABLE, {"tournament": tournament_number}) from None

    # --- changing ----------------------------------------------------------------------------------------------------

    async def create(self, tournament: Tournament, request: TournamentRequest) -> Tournament:
        """Store a new tournament; a repeated request returns the tournament it made the first time."""
        if request.caller is not None:
            served = await self.store.tournaments.tournament_of_request(request.caller.request)
            if served is not None:
                return await self.tournament(served)
        number = await self.store.tournaments.create(self.change_for_new_tournament(tournament, request))
        self._notify(number, 1, request.kind, tournament)
        return await self.tournament(number)

    def change_for_new_tournament(self, tournament: Tournament, request: TournamentRequest) -> TournamentChange:
        """Return the data of a new tournament, for a caller that stores more in the same transaction."""
        return self._change_to_store(tournament, request, TournamentPersons(), before=None, now=self.clock.now())

    async def change(self, tournament_number: int, request: TournamentRequest, step: Step) -> Tournament:
        """Take the step and store its result; a repeated request or a step without effect stores nothing.

        Refusals: unknown_tournament, stale_tournament, and those of the step.
        """
        return await self._tasks.run(self._change(tournament_number, request, step))

    async def _change(self, tournament_number: int, request: TournamentRequest, step: Step) -> Tournament:
        """Take the step and store its result, under the tournament's lock."""
        async with self._cache.lock(tournament_number):
            tournament, known = await self._cache.get(tournament_number)
            if request.caller is not None and await self._is_repeated_request(tournament_number, request.caller):
                return tournament
            if await self._was_changed_since(tournament, request.expected_version):
                raise TournamentRefusal(TournamentCode.STALE_TOURNAMENT, {"tournament": tournament_number})
            now = self.clock.now()
            away = covered_time(self._away(), tournament.since, now)
            ready = delay_by_bot_absence(tournament, away, now)
            after = await step(ready, now)
            if after is ready and away <= 0:
                return tournament
            await self.faults.faults_of(tournament_number)
            change = self._change_to_store(after, request, known, before=tournament, now=now)
            change = replace(change, promises=promises_of_change(tournament, after))
            await self._commit(change)
            stored = replace(after, version=change.version, names=known.names if change.people else tournament.names)
            known.mark_stored()
            self._cache.put(tournament_number, (stored, known))
            if await self.faults.faults_of(tournament_number):
                self._tasks.start(self.faults.end_obsolete_faults(stored))
            self._notify(tournament_number, change.version, request.kind, stored)
            if change.promises:
                self.store.outbox.notify_listener()
            return stored

    async def _commit(self, change: TournamentChange) -> None:
        """Store a step; on failure evict the tournament, to load it again. Refusal: stale_tournament."""
        try:
            committed = await self.store.tournaments.commit(change)
        except BaseException:
            self._cache.evict(change.tournament)
            raise
        if not committed:
            self._cache.evict(change.tournament)
            logger.error(
                "the stored tournament is not the cached one",
                extra={"tournament": change.tournament, "event": change.version},
            )
            raise TournamentRefusal(TournamentCode.STALE_TOURNAMENT, {"tournament": change.tournament})

    async def _is_repeated_request(self, tournament_number: int, caller: Caller) -> bool:
        """Return whether this request was already carried out at this tournament."""
        served = await self.store.tournaments.tournament_of_request(caller.request)
        if served not in (None, tournament_number):
            raise TournamentRefusal(TournamentCode.REQUEST_SERVED)
        return served is not None

    async def _was_changed_since(self, tournament: Tournament, expected_version: int | None) -> bool:
        """Return whether a director changed the tournament after version `expected_version`.

        Players' changes do not count (`docs/tournaments.md` 8, case 40).
        """
        if expected_version is None or expected_version == tournament.version:
            return False
        rows = await self.store.tournaments.steps(tournament.id, after=expected_version)
        return any(row.request is not None and row.kind not in PLAYERS for row in rows)

    def _change_to_store(
        self,
        tournament: Tournament,
        request: TournamentRequest,
        people: TournamentPersons,
        *,
        before: Tournament | None,
        now: int,
    ) -> TournamentChange:
        """Return the data to write for the tournament's new state."""
        caller = request.caller
        if caller is not None:
            people.set_name(caller.person, tournament.names.get(caller.person) or caller.name)
        if before is None or tournament.names is not before.names:
            for person, name in tournament.names.items():
                if name:
                    people.set_name(person, name)
        people.set_directors(tournament.directors)
        written = write_tournament(tournament, people, before)
        version = 1 if before is None else before.version + 1
        return TournamentChange(
            tournament=tournament.id,
            guild=tournament.guild,
            channel=tournament.channel,
            version=version,
            stage=tournament.stage.value,
            due_at=self.faults.next_due_at(tournament),
            name=tournament.plan.name,
            snapshot=written.snapshot,
            parts=written.parts,
            gone=written.gone,
            step=TournamentStep(
                version=version,
                request=None if caller is None else caller.request,
                by=0 if caller is None else people.number(caller.person),
                kind=request.kind,
                detail=json.dumps(dict(request.detail), separators=(",", ":"), ensure_ascii=False),
                at=now,
            ),
            people=people.new_rows,
            secrets=request.secrets,
        )

    def _notify(self, tournament_number: int, version: int, kind: str, tournament: Tournament) -> None:
        """Notify the listeners of a stored change."""
        changed = TournamentChanged(tournament_number, version, kind, self.faults.next_due_at(tournament))
        self._listeners.notify(changed, tournament=tournament_number, event=version)

    async def steps_in_log(self, tournament_number: int) -> Sequence[tuple[TournamentStep, int | None]]:
        """Return the steps of a tournament, oldest first, each with the person who asked for it.

        The person is None if the clock or a table caused the step.
        """
        _, people = await self._cache.get(tournament_number)
        rows = await self.store.tournaments.steps(tournament_number)
        return [(row, people.person(row.by) or None) for row in rows]
