"""Unreadable rows are set aside one by one: everything that does not need them goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from bot.store.errors import StorageFailed
from bot.tables.core.repository import InvariantViolation
from bot.tables.state.refusals import TableRefusal
from tests.support.tables import GUILD
from tests.support.two_pairs_database import (
    FIRST,
    PairNumbers,
    check_pair_can_play_on,
    damage_database,
    start_program,
    write_two_pairs_database,
)

Damage = tuple[str, str, str]
"""A table, one of its columns, and the SQL expression of the damaged value."""

BYTE: Final = "CAST(x'FF' || CAST({column} AS BLOB) AS TEXT)"
CUT: Final = "substr({column}, 1, length({column}) / 2)"
FIELD: Final = "json_set({column}, '$.moon_phase', 'full')"

ONE: Final = FIRST[0]

DAMAGES: Final[Mapping[str, Mapping[str, Damage]]] = {
    "table": {
        "byte": ("tables", "snapshot", BYTE),
        "cut": ("tables", "snapshot", CUT),
        "field": ("tables", "snapshot", FIELD),
        "exception": ("tables", "snapshot", "json_set(snapshot, '$.game.stock', '')"),
    },
    "rating": {
        "byte": ("ratings", "family", BYTE),
        "cut": ("rating_places", "side", "0"),
        "field": ("rating_log", "unit", "0"),
        "exception": ("ratings", "mu", "9e999"),
    },
    "setting": {
        "byte": ("preferences", "value", BYTE),
        "cut": ("personal_times", "times", CUT),
        "field": ("personal_times", "times", FIELD),
        "exception": ("saved_rules", "rules", FIELD),
    },
    "notice": {
        "byte": ("notices", "stage", BYTE),
        "cut": ("contacts", "contact", CUT),
        "field": ("contacts", "contact", FIELD),
        "exception": ("notices", "stage", "'tomorrow'"),
    },
    "premove": {
        "byte": ("premoves", "prepared", BYTE),
        "cut": ("premoves", "prepared", CUT),
        "field": ("premoves", "prepared", FIELD),
        "exception": ("premoves", "prepared", "'[[]]'"),
    },
    "tournament": {
        "byte": ("tournaments", "snapshot", BYTE),
        "cut": ("tournaments", "snapshot", CUT),
        "field": ("tournaments", "snapshot", FIELD),
        "exception": ("tournaments", "snapshot", "json_set(snapshot, '$.plan.starts_at', 'noon')"),
    },
    "series": {
        "byte": ("series", "snapshot", BYTE),
        "cut": ("series", "snapshot", CUT),
        "field": ("series", "snapshot", FIELD),
        "exception": ("series", "snapshot", "json_set(snapshot, '$.last_date', 'yesterday')"),
    },
    "outbox": {
        "byte": ("outbox", "args", BYTE),
        "cut": ("outbox", "args", CUT),
        "field": ("outbox", "kind", "'of another release'"),
        "exception": ("outbox", "key", "'tomorrow'"),
    },
}

ITS_ROW: Final = {
    "tables": "id",
    "tournaments": "id",
    "series": "id",
    "rating_log": "number",
    "saved_rules": "saved_by",
    "preferences": "owner_id",
}
"""The column that identifies the damaged row, where it is not that of a person."""


async def create_two_pairs_database(folder: Path) -> tuple[Path, PairNumbers, PairNumbers]:
    """Return a file with two pairs of people and the numbers of their rows.

    Tests damage the first pair.
    """
    path = folder / "canasta.db"
    return path, *await write_two_pairs_database(path)


def damage_row(path: Path, row_kind: Damage, pair: PairNumbers) -> None:
    """Damage one row of the pair, in the column and with the value given by `row_kind`."""
    table, column, value = row_kind
    owner = ITS_ROW.get(table, "person_id")
    numbers = {
        "tables": pair.running,
        "rating_log": pair.finished,
        "tournaments": pair.tournament,
        "series": pair.series,
    }
    whose = numbers.get(table, ONE)
    script = f"UPDATE {table} SET {column} = {value.format(column=column)} WHERE {owner} = :whose"  # noqa: S608 - names of ours
    assert damage_database(path, script, {"whose": whose}), "nothing was there to be damaged"


@pytest.mark.parametrize("how", ["byte", "cut", "field", "exception"])
@pytest.mark.parametrize("kind", DAMAGES)
async def test_people_unrelated_to_the_damage_play_on(kind: str, how: str, tmp_path: Path) -> None:
    path, damaged, other_pair = await create_two_pairs_database(tmp_path)
    damage_row(path, DAMAGES[kind][how], damaged)
    async with start_program(path) as program:
        tables = program.application.tables
        if kind == "table" and how != "exception":
            assert damaged.running not in [snapshot.id for snapshot in await tables.reading.open_tables_of(ONE)]
        else:
            await tables.reading.snapshot(damaged.running)
        if kind == "rating":
            await program.background_services.ratings.recompute_all_ladders()
            assert len(await program.background_services.ratings.ratings_of(ONE)) <= 1
        if kind == "setting":
            assert (await program.background_services.personal_times.hours_of(ONE)).window is None or how in (
                "byte",
                "exception",
            )
            assert how != "byte" or (await program.background_services.profiles.preferences_of(ONE)).theme == "dark"
        if kind == "notice":
            await program.background_services.notices.notices_of_table(damaged.running)
            await program.background_services.notices.contact(ONE)
        if kind == "tournament":
            open_ones = await program.application.tournaments.overview.open_tournaments_in(GUILD)
            assert damaged.tournament not in [snapshot.id for snapshot in open_ones]
        if kind == "series" and how != "exception":
            assert damaged.series not in [
                snapshot.id for snapshot in await program.background_services.series.all_series_in(GUILD)
            ]
        if kind == "premove":
            assert await tables.premoves.due_premove(damaged.running) is None
        await check_pair_can_play_on(program, other_pair, path)
        await tables.people.forget(program.caller(ONE))


async def test_only_the_table_whose_step_fails_is_set_aside(tmp_path: Path) -> None:
    path, damaged, other_pair = await create_two_pairs_database(tmp_path)
    damage_row(path, DAMAGES["table"]["exception"], damaged)
    async with start_program(path) as program:
        tables, store = program.application.tables, program.application.tables.people._context.store
        snapshot = await tables.reading.snapshot(damaged.running)
        actor = snapshot.actor
        assert actor is not None
        assert actor.person is not None
        view, version = await tables.reading.view_for_person(snapshot.id, person=actor.person, guild=GUILD)
        for expected in (InvariantViolation, TableRefusal):
            with pytest.raises(expected):
                await tables.play.act(
                    program.caller(actor.person), snapshot.id, view.legal[0], expected_version=version
                )
        assert snapshot.id in store.set_aside.numbers("table")
        assert {"table": 1} == dict(store.set_aside.counts())
        await check_pair_can_play_on(program, other_pair, path)


@pytest.mark.parametrize("kind", ["setting", "outbox"])
async def test_without_the_reader_of_texts_a_bad_byte_ends_everything(kind: str, tmp_path: Path) -> None:
    """If Python decoded the texts itself, one damaged row would fail the query and stop the store."""
    path, damaged, other_pair = await create_two_pairs_database(tmp_path)
    damage_row(path, DAMAGES[kind]["byte"], damaged)
    async with start_program(path) as program:
        store: Any = program.application.tables.people._context.store
        store._database._engine.connection._connection.text_factory = str
        with pytest.raises((StorageFailed, AssertionError)):
            await check_pair_can_play_on(program, other_pair, path)
        assert isinstance(await asyncio.wait_for(program.application.broken(), 10), StorageFailed)
