"""`docs/data.md` names every place where personal data is stored, and every field of the export."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Final

from bot.store.people.personal_data import IMPERSONAL, PERSONAL
from bot.store.store import open_store
from bot.tables.people.notices import Contact
from tests.support.database_search import tables_of
from tests.support.project_files import ROOT
from tests.support.tables import EAST, NORTH, World

PAGE: Final = (ROOT / "docs" / "data.md").read_text(encoding="utf-8")


def table_rows(head: str) -> Iterator[list[str]]:
    """Yield the rows of the page's table with that head, as lists of cells."""
    _, _, rest = PAGE.partition(f"{head}\n")
    assert rest, f"no table begins with {head}"
    for line in rest.splitlines()[1:]:
        if not line.startswith("|"):
            return
        yield [cell.strip() for cell in line.strip("|").split("|")]


def names_in_backticks(text: str) -> set[str]:
    """Return the words in backticks."""
    return set(re.findall(r"`([\w.]+)`", text))


KEPT: Final = list(table_rows("| what | where in the file | how long |"))
GIVEN: Final = {name: told for names, told in table_rows("| field | what |") for name in names_in_backticks(names)}


def test_the_page_names_every_table_with_persons() -> None:
    places = {place.partition(".")[0] for _, where, _ in KEPT for place in names_in_backticks(where)}
    assert {one.table for one in PERSONAL} == places & ({one.table for one in PERSONAL} | IMPERSONAL)


async def test_the_page_names_every_field_of_the_export(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    async with open_store(path):
        pass
    with closing(sqlite3.connect(path)) as connection:
        assert "tournament_people" in tables_of(connection)
        for one in PERSONAL:
            if one.export and not one.is_json:
                asked = connection.execute(one.export, {"person": 1})
                missing = {column for (column, *_) in asked.description} - names_in_backticks(GIVEN[one.exported_as])
                assert not missing, one.exported_as


async def test_the_fields_of_the_page_are_those_of_an_export(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, players=2)).id
    await world.finish_deal(table, Random(1))
    given = await world.service.people.export(world.caller(NORTH))
    assert set(given) == set(GIVEN)
    assert {one.exported_as for one in PERSONAL if one.export} <= set(GIVEN)
    (told,) = given["tables"]
    said = names_in_backticks(PAGE.partition("A table has `table`")[2].partition("\n\n")[0]) | {"table"}
    assert set(told) | set(told["hands"][0]) | set(told["actions"][0]) <= said


def test_the_page_explains_what_a_contact_is() -> None:
    assert set(asdict(Contact())) == names_in_backticks(GIVEN["contacts"])
    assert "`contacts.seen`" in PAGE


def test_the_page_says_where_names_are_stored_and_when_files_lose_them() -> None:
    assert "Names stand in `holders`,\n`tournament_people` and `series_people`" in PAGE
    for said in ("`PRAGMA secure_delete`", "`PRAGMA wal_checkpoint`", "`VACUUM`", "within 15 seconds", "8 MB"):
        assert said in PAGE
