"""Closed tournaments are packed after a week, without effect on pages, exports and rulings."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.archiving import Archiver
from bot.clocks.clock import HOUR, SystemClock
from bot.clocks.time_rules import DAY
from bot.store.upkeep.archives import BEGINNING
from bot.store.upkeep.offline_databases import open_file_for_changes
from bot.store.upkeep.tournament_archives import ARCHIVES, TournamentContents
from bot.tournaments.core.repository import TournamentRequest
from bot.tournaments.core.stored_forms import TournamentPersons
from bot.tournaments.event.refusals import TournamentCode
from bot.tournaments.event.tournament import Stage
from bot.tournaments.export.document import tournament_document
from tests.support.clock import ManualClock
from tests.support.command_runner import run_and_read_report
from tests.support.database_search import columns_containing
from tests.support.project_files import ROOT
from tests.support.seeds import seeds
from tests.support.tables import GUILD
from tests.support.tournaments import DIRECTOR, Evening, open_evening, pairs, refusal_of, usual_plan
from tests.tournaments.service.test_killed_tournaments import finish_tournament

FIRST = 71_000_001
"""The first player; the next one is the partner."""

KEPT = (
    "SELECT * FROM tournament_parts WHERE tournament_id = ?",
    "SELECT * FROM tournament_steps WHERE tournament_id = ?",
)


async def play_cups(path: Path, cup_count: int, *, ago: int = 8 * DAY) -> list[int]:
    """Play that many cups to their close `ago` milliseconds ago, beside an open one; return their numbers."""
    async with open_evening(path, clock=ManualClock(SystemClock().now() - ago)) as evening:
        cups = []
        for cup in range(cup_count):
            cups.append(await evening.begin_tournament(usual_plan(rated=True, rounds=2), pairs(4, FIRST + 10 * cup)))
            await finish_tournament(evening, cups[-1])
        await evening.publish(usual_plan("next"))
        await evening.world.store.times.note_heartbeat(evening.clock.now())
    return cups


def present_clock() -> ManualClock:
    return ManualClock(SystemClock().now())


async def pack_tournaments(evening: Evening, *, ago: int = 7 * DAY) -> int:
    """Pack all closed tournaments that are unchanged for `ago` milliseconds; return their number."""
    return (await evening.world.store.tournaments.archive_due_tournaments(evening.clock.now() - ago, 10, BEGINNING))[0]


async def readable_data_of_tournament(evening: Evening, tournament_number: int) -> list[Any]:
    """Return everything that pages, exports and the desk show of a closed tournament."""
    events = evening.events
    shown = tournament_document(await events.exports.export_input(tournament_number, person=DIRECTOR))
    return [
        await events.overview.get_tournament(tournament_number),
        await events.overview.places(tournament_number),
        [one.id for one in await events.overview.closed_tournaments_in(GUILD)],
        await events.desk_views.director_log(evening.director, tournament_number),
        await events.desk_views.unusual_play_lists(evening.director, tournament_number),
        {name: value for name, value in shown.items() if name != "generated_at"},
    ]


def rows_to_pack(path: Path, tournament_number: int) -> list[Any]:
    """Return the rows of a tournament that packing replaces by an archive."""
    with closing(sqlite3.connect(path)) as connection:
        own = connection.execute("SELECT snapshot FROM tournaments WHERE id = ?", (tournament_number,)).fetchall()
        return [own, *(connection.execute(sql, (tournament_number,)).fetchall() for sql in KEPT)]


def packed_tournaments(path: Path) -> list[int]:
    """Return the numbers of the packed tournaments."""
    with closing(sqlite3.connect(path)) as connection:
        return [row[0] for row in connection.execute("SELECT tournament_id FROM tournament_archives ORDER BY 1")]


async def test_a_packed_tournament_reads_as_before(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    (cup,) = await play_cups(path, 1)
    async with open_evening(path, clock=present_clock()) as evening:
        before = await readable_data_of_tournament(evening, cup)
        await Archiver(evening.world.store, evening.clock).archive_batch()
    assert ([cup], [[("",)], [], []]) == (packed_tournaments(path), rows_to_pack(path, cup))
    async with open_evening(path, clock=present_clock(), first_request=8_000_000) as evening:
        assert before == await readable_data_of_tournament(evening, cup)


async def test_only_tournaments_that_ended_a_week_ago_are_packed(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    await play_cups(path, 1, ago=6 * DAY)
    async with open_evening(path, clock=present_clock()) as evening:
        assert 0 == await pack_tournaments(evening)
        evening.clock.advance(DAY + HOUR * 12)
        assert 1 == await pack_tournaments(evening)


async def test_a_change_of_a_packed_tournament_unpacks_it_in_the_same_transaction(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    (cup,) = await play_cups(path, 1, ago=DAY)
    before = rows_to_pack(path, cup)
    async with open_evening(path, clock=present_clock(), first_request=8_000_000) as evening:
        assert 1 == await pack_tournaments(evening, ago=0)
        assert Stage.CLOSING is (await evening.events.desk.reopen(evening.director, cup)).stage
        assert [] == packed_tournaments(path)
    after = rows_to_pack(path, cup)
    assert before[2] == after[2][:-1]
    assert {row[1:3] for row in before[1]} < {row[1:3] for row in after[1]}


async def test_a_refused_change_leaves_a_tournament_packed(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    (cup,) = await play_cups(path, 1)
    async with open_evening(path, clock=present_clock(), first_request=8_000_000) as evening:
        assert 1 == await pack_tournaments(evening)
        repository, tournament = evening.events.repository, await evening.events.overview.get_tournament(cup)
        asked = TournamentRequest("note", evening.director)
        change = repository._change_to_store(
            tournament, asked, TournamentPersons(), before=tournament, now=evening.clock.now()
        )
        assert not await repository.store.tournaments.commit(replace(change, version=change.version + 1))
        assert [cup] == packed_tournaments(path)
        assert await repository.store.tournaments.commit(change)
        assert [] == packed_tournaments(path)


async def test_a_deleted_person_is_in_no_archive(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    (cup,) = await play_cups(path, 1)
    async with open_evening(path, clock=present_clock()) as evening:
        assert 1 == await pack_tournaments(evening)
        evening.world.service.people.subscribe_after_deletion(evening.events.forget)
        assert "tournament_people.name" in columns_containing(path, f"P{FIRST}")
        await evening.world.service.people.forget(evening.caller(FIRST))
        assert set() == columns_containing(path, f"{FIRST}")
        view = await evening.events.overview.get_tournament(cup)
        entrant = next(one for one in view.entrants if FIRST + 1 in one.people)
        assert min(entrant.people) < 0
    assert [cup] == packed_tournaments(path)


async def test_a_damaged_archive_is_set_aside_alone(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    first, second = await play_cups(path, 2)
    async with open_evening(path, clock=present_clock()) as evening:
        assert 2 == await pack_tournaments(evening)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE tournament_archives SET packed = x'00' WHERE tournament_id = ?", (first,))
        connection.commit()
    async with open_evening(path, clock=present_clock(), first_request=8_000_000) as evening:
        assert TournamentCode.UNREADABLE is (await refusal_of(evening.events.overview.get_tournament(first)))[0]
        assert [second] == (await readable_data_of_tournament(evening, second))[2]


async def test_damaged_text_is_never_packed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "canasta.db"
    (cup,) = await play_cups(path, 1)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE tournament_parts SET value = CAST(x'FF' AS TEXT) WHERE part = 'rounds'")
        connection.commit()
    before = rows_as_bytes(path, cup)
    report = await asyncio.to_thread(run_and_read_report, capsys, path, "compact")
    assert (0, 0) == (report["status"], report["tournaments_packed"])
    assert before == rows_as_bytes(path, cup)


def rows_as_bytes(path: Path, tournament_number: int) -> list[Any]:
    """Return the parts of a tournament as bytes, as they are in the file."""
    with closing(sqlite3.connect(path)) as connection:
        sql = "SELECT part, number, CAST(value AS BLOB) FROM tournament_parts WHERE tournament_id = ?"
        return connection.execute(sql, (tournament_number,)).fetchall()


async def test_a_migration_can_change_what_is_packed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "canasta.db"
    (cup,) = await play_cups(path, 1)
    report = await asyncio.to_thread(run_and_read_report, capsys, path, "compact", "--vacuum")
    assert (0, 1) == (report["status"], report["tournaments_packed"])

    def rename_cup(contents: TournamentContents) -> TournamentContents:
        return replace(contents, snapshot=contents.snapshot.replace("Friday cup", "Saturday cup"))

    with open_file_for_changes(path) as file:
        assert 1 == ARCHIVES.rewrite(file.session, rename_cup)
        assert 0 == ARCHIVES.rewrite(file.session, rename_cup)
    async with open_evening(path, clock=present_clock()) as evening:
        assert "Saturday cup" == (await evening.events.overview.get_tournament(cup)).plan.name


@pytest.mark.parametrize("seed", seeds(2))
async def test_packing_that_is_killed_loses_nothing(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "canasta.db"
    cups = await play_cups(path, 2)
    async with open_evening(path, clock=present_clock()) as evening:
        before = [await readable_data_of_tournament(evening, cup) for cup in cups]
    command = [sys.executable, "-m", "bot", "compact", "--vacuum", "--database", str(path)]
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=asyncio.subprocess.DEVNULL)
    await asyncio.sleep(Random(seed).uniform(0.2, 0.9))
    with suppress(ProcessLookupError):
        process.kill()
    await process.wait()
    async with open_evening(path, clock=present_clock(), first_request=8_000_000) as evening:
        assert before == [await readable_data_of_tournament(evening, cup) for cup in cups]
    await asyncio.to_thread(run_and_read_report, capsys, path, "compact", "--vacuum")
    assert cups == packed_tournaments(path)
    async with open_evening(path, clock=present_clock(), first_request=9_000_000) as evening:
        assert before == [await readable_data_of_tournament(evening, cup) for cup in cups]
