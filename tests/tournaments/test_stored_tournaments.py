"""Stored tournaments: stable field names, damage harms only one of them, people are numbers."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bot.store.errors import Undecodable
from bot.store.tournaments import TournamentPerson
from bot.tournaments.core.forms import TournamentPersons, read, write
from bot.tournaments.event.refusals import TournamentCode
from bot.tournaments.event.tournament import Stage
from bot.tournaments.traits import FormatKind
from tests.support.database_search import places_of
from tests.support.tables import GUILD
from tests.support.tournaments import figures, open_evening, pairs, plan, refused

KEPT = Path(__file__).parent.parent / "data" / "tournaments" / "swiss.json"


async def test_a_stored_tournament_is_read_and_written_as_it_was(tmp_path: Path) -> None:
    kept = json.loads(KEPT.read_text())
    people = TournamentPersons(TournamentPerson(*row) for row in kept["people"])
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = (await evening.draft(plan())).id
        stored = await evening.world.store.tournaments.load(number)
    assert stored is not None
    text = json.dumps(kept["snapshot"], separators=(",", ":"), ensure_ascii=False)
    found = read(replace(stored, snapshot=text), people)
    written = json.loads(write(found, people))
    assert kept["snapshot"] == written
    assert (Stage.RUNNING, FormatKind.SWISS, 3) == (found.stage, found.plan.kind, len(found.entrants))
    assert [tuple(row) for row in kept["places"]] == [(place, entry) for place, entry, _ in figures(found)]


async def test_a_tournament_that_cannot_be_read_is_refused_and_harms_no_other(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    async with open_evening(path) as evening:
        bad = (await evening.published(plan("Broken"))).id
        await evening.enter(bad, (1, 2))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE tournaments SET snapshot = substr(snapshot, 1, 99) WHERE id = ?", (bad,))
        connection.commit()
    async with open_evening(path, first_request=7_000_000) as evening:
        code, _ = await refused(evening.events.overview.look(bad))
        assert TournamentCode.UNKNOWN_TOURNAMENT is code
        good = (await evening.published(plan("Whole"))).id
        assert [good] == [one.id for one in await evening.events.overview.open_in(GUILD)]
        await evening.enter(good, (1, 2))
        assert [good] == [one.id for one in await evening.events.overview.open_of(1)]


async def test_a_deleted_person_becomes_a_number_and_nothing_else_changes(tmp_path: Path) -> None:
    path, zoe = tmp_path / "canasta.db", 710_000_000_000_000_001
    async with open_evening(path) as evening:
        number = await evening.called(plan(), [(zoe, 2), *pairs(2, 3)])
        await evening.play_rest(number)
        before = await evening.events.entering.gone(number, zoe)
        assert {"tournament_people"} <= {place.partition(".")[0] for place in places_of(path, str(zoe))}

        evening.world.service.people.on_forgotten(evening.events.forget)
        await evening.world.service.people.forget(evening.caller(zoe))
        after = await evening.events.overview.look(number)
        assert not {one for one in places_of(path, str(zoe), f"P{zoe}") if one.startswith("tournament")}
        assert figures(before) == figures(after)
        (former,) = (one for one in after.entrants if 2 in one.people)
        assert former.people[0] < 0
        assert "" == after.names[former.people[0]]


def test_a_person_keeps_their_number_under_every_name() -> None:
    people = TournamentPersons()
    assert (1, 2, 1, 0) == tuple(people.number(person) for person in (50, 60, 50, 0))
    people.set_name(50, "Ana")
    assert ((1, 50, "Ana"), (2, 60, "")) == tuple((row.number, row.person, row.name) for row in people.new)
    with pytest.raises(Undecodable):
        people.person(3)
