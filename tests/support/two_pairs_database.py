"""A database with two pairs of people who share no row.

Tests damage the rows of one pair, while the other pair plays on.
"""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from types import SimpleNamespace

from bot.app import Application, build_application
from bot.clocks.clock import HOUR
from bot.clocks.quiet_hours import QuietWindow
from bot.clocks.scheduler import Scheduler
from bot.clocks.time_rules import DAY, PRESETS
from bot.config import Settings
from bot.outbox import PromiseKind
from bot.ratings.rating_rules import Ladder, MatchId, RatedMatch, SeatPlayed, SidePlayed
from bot.ratings.service import RatingService
from bot.series.hosting import default_plan
from bot.series.service import SeriesService
from bot.store.messages import MessageRow
from bot.store.notices import NoticeRow
from bot.store.outbox import OutboxRow, Promise, promise_statement
from bot.store.timers_and_uptime import Outage
from bot.store.tournaments import TournamentPost
from bot.store.upkeep.table_archives import pack_table
from bot.tables.core.limits import Limits
from bot.tables.state.clocks import TableSettings
from bot.tables.state.premoves import PlannedTurn
from bot.tables.state.snapshots import Caller, Status
from bot.tournaments.service import TournamentService
from cogs.shared.serving.context import Services
from tests.support.clock import START, ManualClock
from tests.support.database_search import columns_containing
from tests.support.tables import CHANNEL, GUILD, PATIENT, World, open_world
from tests.support.tournaments import usual_plan

FIRST, SECOND = (710_000_000_000_000_001, 710_000_000_000_000_002), (720_000_000_000_000_001, 720_000_000_000_000_002)
"""The people of the first neighbourhood, whose rows are damaged, and of the second."""

LADDER = Ladder("classic", 2)
_POST = """
INSERT INTO tournament_posts (tournament_id, name, channel_id, message_id, digest)
SELECT :tournament, 'page', 800, 5, 'abc' WHERE :person > 0 AND :table > 0
"""
_LAPSE = "INSERT INTO lapses (person_id, table_id, at) SELECT :person, :table, 5 WHERE :tournament > 0"

CLOCK = TableSettings(clock=PRESETS["live"])


@dataclass(frozen=True, slots=True)
class PairNumbers:
    """The numbers of a pair's running table, finished table, tournament and series."""

    people: tuple[int, int]
    running: int
    finished: int
    tournament: int
    series: int


def name_of(person: int) -> str:
    """Return a person's name."""
    return f"Name{person}"


_made: list[tuple[bytes, tuple[PairNumbers, PairNumbers]]] = []
"""The database's content and its neighbourhoods, cached because building them is slow."""


async def write_two_pairs_database(path: Path) -> tuple[PairNumbers, PairNumbers]:
    """Write a database with two pairs of people to that path; return the numbers of their data.

    Each pair has two tables and a tournament.
    """
    if not _made:
        _cache_database(path, await _build_database(path))
    return _write_cached_copy(path)


def _cache_database(path: Path, pair_numbers: tuple[PairNumbers, PairNumbers]) -> None:
    """Keep a copy of the written database for this process, so that it is not built again."""
    _made.append((path.read_bytes(), pair_numbers))


def _write_cached_copy(path: Path) -> tuple[PairNumbers, PairNumbers]:
    """Write the kept copy of the database to this path; return the numbers of both pairs."""
    content, homes = _made[0]
    path.write_bytes(content)
    path.chmod(0o600)
    return homes


async def _build_database(path: Path) -> tuple[PairNumbers, PairNumbers]:
    """Build the data of both pairs in a new database; return their numbers."""
    async with open_world(path) as world:
        for person in (*FIRST, *SECOND):
            world.names[person] = name_of(person)
        made = [await _write_pair(world, people) for people in (FIRST, SECOND)]
        database = world.store.outbox._database
        for one in made:
            await database.run(partial(pack_table, table=one.finished))
            post = {"tournament": one.tournament, "person": one.people[0], "table": one.running}
            for script in (_POST, _LAPSE):
                await database.run(lambda session, script=script, post=post: session.execute(script, post))  # type: ignore[misc]
        await world.store.times.note_heartbeat(START, Outage(START - HOUR, START))
        await world.store.ratings.set_formula_version(2)
        await world.store.guilds.note_departure(GUILD + 7, START)
        return made[0], made[1]


async def _write_pair(world: World, people: tuple[int, int]) -> PairNumbers:
    one, other = people
    service, store, random = world.service, world.store, Random(1)
    snapshot = await service.lobby.create(world.caller(one), channel=CHANNEL, players=2, target=100)
    await service.play.give_shuffle_word(world.caller(one), snapshot.id, "sea breeze")
    await service.lobby.join(world.caller(other), snapshot.id)
    await service.lobby.start(world.caller(one), snapshot.id)
    finished = (await world.finish_game(snapshot.id, random)).id
    snapshot = await service.lobby.create(world.caller(one), channel=CHANNEL, players=2, settings=CLOCK)
    await service.lobby.join(world.caller(other), snapshot.id)
    running = (await service.lobby.start(world.caller(one), snapshot.id)).id
    while (await world.current_turn(running))[1] != 1:
        await world.take_random_step(running, random)
    await service.premoves.store_premove(world.caller(one), running, PlannedTurn(draw=True))
    await service.rules.save_rules(world.caller(one), running, "First" if people is FIRST else "Second")
    await service.masters.pause(world.caller(one), running, reason="a storm")
    await service.masters.resume(world.caller(one), running, reason="no storm")
    await world.personal.set_quiet_hours(one, QuietWindow("UTC", 22 * 60, 2), world.clock.now())
    await store.preferences.set("person", one, {"theme": "light", "notices": "dm", "digest": "7"})
    await store.messages.set_message(MessageRow(running, CHANNEL, 55, 3, START, f"1.3:{one}"))
    await store.messages.note_announcement(running, joinable=True)
    await store.messages.set_last_posted_sheet(running, 1)
    await store.notices.set_notice(NoticeRow(running, one, "1.2", "half", CHANNEL, 5, START))
    await store.notices.set_contact_times(one, f'{{"seen":{START},"closed":0,"digest":0,"pings":[{START}]}}')
    await store.spectators.add(running, one, told=0)
    await store.players.block(one, other, START)
    await store.players.note_export(one, START - 100 * HOUR)
    sides = tuple(SidePlayed((SeatPlayed(((person, 1),)),), person % 7 * 100) for person in people)
    rated = RatedMatch(id=MatchId(0, finished), at=START, ladder=LADDER, guild=GUILD, sides=sides)
    await RatingService(store.ratings, world.clock).rate_match(rated)
    promise = promise_statement(
        Promise(kind="test", key="first" if people is FIRST else "second", guild=one, person=one, args={"n": 7}), START
    )
    await store.outbox._database.write("outbox", promise)
    events = TournamentService(store, world.clock, service, away=world.readiness.outages)
    tournament = await events.entering.create(
        world.caller(one), channel=CHANNEL, plan=usual_plan(starts_at=START + 9 * HOUR)
    )
    await events.entering.publish(world.caller(one), tournament.id)
    await events.entering.enter(world.caller(one), tournament.id, partners={other: name_of(other)})
    series = SeriesService(store, world.clock, events)
    night = default_plan(usual_plan("Night", starts_at=START + 9 * HOUR, drawn=True, rounds=2), "UTC", START)
    begun = await series.create(world.caller(one), channel=CHANNEL, plan=replace(night, ahead=12 * HOUR))
    await series.nights.fire_deadline(begun.id, "series")
    await series.record_post(begun.id, TournamentPost("series", 900, 6, "abc"))
    await series.nights.finish()
    return PairNumbers(people, running, finished, tournament.id, begun.id)


def damage_database(path: Path, script: str, parameters: Mapping[str, object] | Sequence[object] = ()) -> int:
    """Run SQL on a database without the program and its constraints; return the number of changed rows."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        changed = connection.execute(script, parameters).rowcount
        connection.commit()
        return changed


@dataclass(slots=True)
class RunningProgram:
    """The program on a file, with its clock moved by hand and without Discord."""

    application: Application
    clock: ManualClock
    scheduler: Scheduler
    of_series: Scheduler
    kept: list[str]
    requests: int = 9_000_000

    @property
    def background_services(self) -> Services:
        return self.application.client.context.services

    def caller(self, person: int) -> Caller:
        self.requests += 1
        return Caller(person, name_of(person), GUILD, self.requests)


@asynccontextmanager
async def start_program(path: Path, *, limits: Limits = PATIENT) -> AsyncIterator[RunningProgram]:
    """Yield the program, started on that file an hour later."""
    clock = ManualClock(START + HOUR)
    async with build_application(
        Settings(database=path), clock=clock, limits=limits, silence=1000 * HOUR
    ) as application:
        kept: list[str] = []

        async def keep_promise(row: OutboxRow) -> None:
            if row.args != '{"n":7}':
                raise ValueError(row.args)
            kept.append(row.key)

        application.outbox.register("test", PromiseKind(keep_promise))
        tables = application.tables
        store = tables.people._context.store
        times = SimpleNamespace(note_ready=_do_nothing, note_not_ready=lambda: None)
        scheduler = Scheduler(store.times, clock, tables.deadlines, readiness=times)  # type: ignore[arg-type]
        nights = application.client.context.services.series.nights
        of_series = Scheduler(nights, clock, nights, readiness=times, subject="series")  # type: ignore[arg-type]
        yield RunningProgram(application, clock, scheduler, of_series, kept)


async def _do_nothing() -> None:
    return


async def check_pair_can_play_on(program: RunningProgram, pair: PairNumbers, path: Path, damaged: str = "") -> None:
    """Fail unless everything works for a pair: lists, play, clocks, ratings, export and deletion.

    `damaged` is a column, as ``table.column``, in which a name may remain after a deletion.
    """
    tables, (one, other) = program.application.tables, pair.people
    assert pair.running in [snapshot.id for snapshot in await tables.reading.open_tables_in(GUILD)]
    assert [pair.running] == [snapshot.id for snapshot in await tables.reading.open_tables_of(one)]
    snapshot = await tables.reading.snapshot(pair.running)
    actor = snapshot.actor
    assert actor is not None
    assert actor.person is not None
    view, version = await tables.reading.view_for_person(pair.running, person=actor.person, guild=GUILD)
    await tables.play.act(program.caller(actor.person), pair.running, view.legal[0], expected_version=version)
    await program.application.outbox.carry_out_due_effects()
    assert ("first" if pair.people == FIRST else "second") in program.kept
    context = program.background_services
    assert 1 == len(await context.ratings.ratings_of(one))
    await context.ratings.leaderboard(LADDER)
    await context.servers.settings(GUILD)
    assert "light" == (await context.profiles.preferences_of(one)).theme
    assert one in await context.notices.digest_hour_by_person()
    assert [pair.tournament] == [
        found.id
        for found in await program.application.tournaments.overview.open_tournaments_in(GUILD)
        if found.id == pair.tournament
    ]
    series = context.series
    assert pair.series in [found.id for found in await series.open_series_in(GUILD)]
    assert "series" in await series.posts(pair.series)
    await series.points_and_wins_in(GUILD)
    exported = await tables.people.export(program.caller(one))
    assert {pair.running, pair.finished} <= {table["table"] for table in exported["tables"]}
    before = (await tables.reading.snapshot(pair.running)).version
    for _ in range(4):
        program.clock.advance(HOUR)
        await program.scheduler.fire_due()
    assert before < (await tables.reading.snapshot(pair.running)).version, "no clock ran out"
    nights = len((await series.get_series(pair.series)).nights)
    program.clock.advance(7 * DAY)
    await program.of_series.fire_due()
    assert nights < len((await series.get_series(pair.series)).nights), "no night was made"
    for person in (one, other):
        await tables.people.forget(program.caller(person))
        left = columns_containing(path, str(person), name_of(person)) - {damaged, "blocks.blocked_id"}
        assert set() == left
    assert Status.FINISHED is (await tables.reading.snapshot(pair.finished)).status
