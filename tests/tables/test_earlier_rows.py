"""Rows with names in them are written anew with the numbers of holders, and tell what they told."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from bot.store.store import open_store
from bot.tables.looks import Status
from bot.tables.record_folding import fold
from tests.support.earlier import BEN, CALLED, TABLES, of_earlier, told_by, write_earlier
from tests.support.logs import events_of, record_of
from tests.support.scan import places_of
from tests.support.tables import open_world

ROOT = Path(__file__).parents[2]
NAMES = [name for names in CALLED.values() for name in names]
IDS = [str(person) for person in CALLED]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "canasta.db"
    write_earlier(file)
    return file


async def test_a_file_with_names_in_its_rows_tells_the_same_before_and_after(path: Path) -> None:
    async with open_world(path, first_request=9_000_000) as world:
        before = await told_by(world.store)
        assert {"actions.payload", "tables.snapshot"} == places_of(path, *NAMES)
        await world.service.rewrite_earlier()
        assert before == await told_by(world.store)
        assert {"holders.name", "holders.account"} == places_of(path, *NAMES)
        assert () == await world.store.named_logs()
    columns = {"holders.person_id", "actions.person_id", "tables.opened_by", "seated.person_id"}
    assert columns | {"preferences.owner_id", "saved_rules.saved_by", "messages.told"} == places_of(path, *IDS)
    for log, record in before:
        assert of_earlier(record) == of_earlier(fold(None, log))


async def test_a_game_goes_on_before_while_and_after_its_rows_are_written_anew(path: Path) -> None:
    chance = Random(2)
    async with open_world(path, first_request=9_000_000) as world:
        for person, names in CALLED.items():
            world.names[person] = names[0]
        for _ in range(5):
            await world.step(2, chance)
        await world.service.rewrite_earlier()
        look = await world.play_deal(2, chance)
        assert Status.PLAYING is look.status
        folded = fold(None, await events_of(world.store, 2))
        assert of_earlier(await record_of(world.store, 2)) == of_earlier(folded)
    assert set() == places_of(path, *NAMES) - {"holders.name", "holders.account"}


async def test_a_table_that_changes_meanwhile_loses_nothing(path: Path) -> None:
    """A step of the game and a step of the rewriting take turns at one table."""
    chance = Random(2)
    async with open_world(path, first_request=9_000_000) as world:
        for person, names in CALLED.items():
            world.names[person] = names[-1]
        await world.service.answer_proposal(world.caller(BEN), 2, agrees=False)
        for _ in range(3):
            await world.step(2, chance)
            await world.service.leave(world.caller(BEN), 2)
            await world.comes_back(BEN, 2)
            await world.service._earlier._batch((await world.store.named_logs())[1])
        await world.service.rewrite_earlier()
        folded = fold(None, await events_of(world.store, 2))
        assert of_earlier(await record_of(world.store, 2)) == of_earlier(folded)


async def test_damaged_rows_stay_and_the_rest_is_written_anew(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE actions SET payload = '{\"action\":' WHERE table_id = 1 AND version = 3")
        connection.execute("UPDATE actions SET payload = CAST(x'ff' AS TEXT) WHERE table_id = 3 AND version = 1")
        connection.execute("UPDATE tables SET snapshot = '{' WHERE id = 4")
        connection.commit()
    async with open_world(path, first_request=9_000_000) as world:
        await world.service.rewrite_earlier()
        assert () == await world.store.named_logs()
        folded = fold(None, await events_of(world.store, 2))
        assert of_earlier(await record_of(world.store, 2)) == of_earlier(folded)
    with closing(sqlite3.connect(path)) as connection:
        assert [("{",)] == connection.execute("SELECT snapshot FROM tables WHERE id = 4").fetchall()
    assert {"holders.name", "holders.account"} == places_of(path, *NAMES)


def killed_after(steps: int, path: Path) -> int:
    """Let the process write anew and kill it after so many steps, or less where that is all; how many there were."""
    command = [sys.executable, "-m", "tests.support.rewriting", str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        seen = sum(1 for _ in zip(range(steps), process.stdout, strict=False))
        process.kill()
    return seen


async def test_killed_at_any_moment_the_rewriting_leaves_a_file_that_tells_the_same(path: Path) -> None:
    async with open_store(path) as store:
        before = await told_by(store)
    chance, kills = Random(8), 0
    while True:
        steps = killed_after(chance.randrange(2, 16), path)
        async with open_store(path) as store:
            assert before == await told_by(store)
            if not await store.named_logs():
                break
        kills += steps > 0
    assert kills > 1
    assert {"holders.name", "holders.account"} == places_of(path, *NAMES)


async def test_nothing_is_written_anew_twice(path: Path) -> None:
    async with open_world(path, first_request=9_000_000) as world:
        await world.service.rewrite_earlier()
        stored = [await world.store.tables.load(table) for table in TABLES]
        await world.service.rewrite_earlier()
        assert stored == [await world.store.tables.load(table) for table in TABLES]
