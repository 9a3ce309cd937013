"""Stored tournaments: field names are stable, damage affects one only, and people are numbers."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bot.store.database import open_database
from bot.store.errors import UndecodableData
from bot.store.migrations import SCRIPTS
from bot.store.store import open_store
from bot.store.tournaments import TournamentPart, TournamentPerson
from bot.tournaments.core.stored_forms import TournamentPersons, read_tournament, write_tournament
from bot.tournaments.event.refusals import TournamentCode
from bot.tournaments.event.tournament import Stage
from bot.tournaments.format_traits import FormatKind
from tests.support.database_search import columns_containing
from tests.support.tables import GUILD
from tests.support.tournaments import open_evening, pairs, refusal_of, standing_figures, usual_plan

KEPT = Path(__file__).parent.parent / "data" / "tournaments" / "swiss.json"

OLD_ROW = """
INSERT INTO tournaments (id, guild_id, channel_id, stage, version, created_at, updated_at, snapshot)
VALUES (?, ?, 1, 'running', 9, 1, 1, ?)
"""


def stored_rows(path: Path, tournament_number: int) -> dict[tuple[str, int], str]:
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute(
            "SELECT part, number, value FROM tournament_parts WHERE tournament_id = ?", (tournament_number,)
        ).fetchall()
    return {(part, place): value for part, place, value in rows}


def as_json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


async def test_a_stored_tournament_is_read_and_written_as_it_was(tmp_path: Path) -> None:
    kept = json.loads(KEPT.read_text())
    people = TournamentPersons(TournamentPerson(*row) for row in kept["people"])
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = (await evening.make_draft(usual_plan())).id
        stored = await evening.world.store.tournaments.load(number)
    assert stored is not None
    parts = tuple(TournamentPart(kind, number, as_json(one)) for kind, number, one in kept["parts"])
    tournament = read_tournament(replace(stored, snapshot=as_json(kept["snapshot"]), parts=parts), people)
    written = write_tournament(tournament, people)
    assert kept["snapshot"] == json.loads(written.snapshot)
    assert kept["parts"] == [[one.part, one.number, json.loads(one.value)] for one in written.parts]
    assert (Stage.RUNNING, FormatKind.SWISS, 3) == (tournament.stage, tournament.plan.kind, len(tournament.entrants))
    assert [tuple(row) for row in kept["places"]] == [
        (place, entry) for place, entry, _ in standing_figures(tournament)
    ]


async def test_a_step_writes_its_own_row_and_what_it_has_changed(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    async with open_evening(path) as evening:
        number = await evening.begin_round(usual_plan(rounds=3), pairs(8))
        before = await evening.events.overview.get_tournament(number)
        rows = stored_rows(path, number)
        await evening.events.entering.mark_arrived(before.matches[1].seats[0] or 0, number, before.matches[1].id)
        await evening.wait_until_idle()
        changed = {one for one, value in stored_rows(path, number).items() if rows.get(one) != value}
        assert {("matches", 2)} == changed
        after = await evening.events.overview.get_tournament(number)
        await evening.events.repository.evict_all()
        assert after == await evening.events.overview.get_tournament(number)


async def test_a_file_with_whole_tournaments_is_converted_and_an_unreadable_one_stays(tmp_path: Path) -> None:
    path, first = tmp_path / "canasta.db", tmp_path / "scripts"
    first.mkdir()
    (script,) = SCRIPTS.glob("0001_*")
    shutil.copy(script, first)
    await (await open_database(path, first)).close()
    kept = json.loads(KEPT.read_text())
    for part in {kind for kind, _, _ in kept["parts"]}:
        kept["snapshot"][part] = [one for kind, _, one in kept["parts"] if kind == part]
    with closing(sqlite3.connect(path)) as connection:
        for number, snapshot in ((1, kept["snapshot"]), (2, None)):
            text = as_json(snapshot).decode() if snapshot else '{"plan": {"na'
            connection.execute(OLD_ROW, (number, GUILD, text))
        connection.executemany("INSERT INTO tournament_people VALUES (1, ?, ?, ?)", kept["people"])
        connection.commit()
    async with open_store(path) as store:
        stored = await store.tournaments.load(1)
        assert stored is not None
        assert sorted(kept["parts"]) == sorted([one.part, one.number, json.loads(one.value)] for one in stored.parts)
        people = TournamentPersons(await store.tournaments.people(1))
        assert kept["places"] == [
            [place, entry] for place, entry, _ in standing_figures(read_tournament(stored, people))
        ]
        outline = await store.tournaments.outline(1)
        assert outline is not None
        assert ("Friday cup", (9000,)) == (outline.name, outline.directors)
        broken = await store.tournaments.load(2)
        assert broken is not None
        assert (b'{"plan": {"na', ()) == (broken.snapshot, broken.parts)


async def test_names_of_people_who_were_asked_are_known_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    async with open_evening(path) as evening:
        number = (await evening.publish(usual_plan())).id
        await evening.events.entering.enter(evening.caller(1), number, partners={2: "Ben"})
        before = (await evening.events.overview.get_tournament(number)).names
    async with open_evening(path, first_request=7_000_000) as evening:
        assert before == (await evening.events.overview.get_tournament(number)).names
    assert before[2] == "Ben"


async def test_a_tournament_that_cannot_be_read_is_refused_and_harms_no_other(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    async with open_evening(path) as evening:
        bad = (await evening.publish(usual_plan("Broken"))).id
        await evening.enter(bad, (1, 2))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE tournaments SET snapshot = substr(snapshot, 1, 99) WHERE id = ?", (bad,))
        connection.commit()
    async with open_evening(path, first_request=7_000_000) as evening:
        code, _ = await refusal_of(evening.events.overview.get_tournament(bad))
        assert TournamentCode.UNREADABLE is code
        good = (await evening.publish(usual_plan("Whole"))).id
        assert [good] == [one.id for one in await evening.events.overview.open_tournaments_in(GUILD)]
        await evening.enter(good, (1, 2))
        assert [good] == [one.id for one in await evening.events.overview.open_tournaments_of(1)]


async def test_a_deleted_person_becomes_a_number_and_nothing_else_changes(tmp_path: Path) -> None:
    path, zoe = tmp_path / "canasta.db", 710_000_000_000_000_001
    async with open_evening(path) as evening:
        number = await evening.begin_round(usual_plan(), [(zoe, 2), *pairs(2, 3)])
        await evening.play_called_matches(number)
        before = await evening.events.entering.withdraw_person(number, zoe)
        assert {"tournament_people"} <= {place.partition(".")[0] for place in columns_containing(path, str(zoe))}

        evening.world.service.people.subscribe_after_deletion(evening.events.forget)
        await evening.world.service.people.forget(evening.caller(zoe))
        after = await evening.events.overview.get_tournament(number)
        assert not {one for one in columns_containing(path, str(zoe), f"P{zoe}") if one.startswith("tournament")}
        assert standing_figures(before) == standing_figures(after)
        (former,) = (one for one in after.entrants if 2 in one.people)
        assert former.people[0] < 0
        assert "" == after.names[former.people[0]]


def test_a_person_keeps_their_number_under_every_name() -> None:
    people = TournamentPersons()
    assert (1, 2, 1, 0) == tuple(people.number(person) for person in (50, 60, 50, 0))
    people.set_name(50, "Ana")
    assert ((1, 50, "Ana"), (2, 60, "")) == tuple((row.number, row.person, row.name) for row in people.new_rows)
    with pytest.raises(UndecodableData):
        people.person(3)
