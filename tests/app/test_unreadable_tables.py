"""An unreadable table is set aside and logged once; everything else goes on."""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.i18n import words
from bot.store.game_forms import STATE
from bot.tables.state.snapshots import Status
from tests.support.discord import Discord, discord_world, text_of

Spoil = Callable[[dict[str, Any]], str]


def add_unknown_parameter(snapshot: dict[str, Any]) -> str:
    """Return the snapshot as text with a rule that the program does not know."""
    snapshot["game"]["rules"]["moon_phase"] = "full"
    return json.dumps(snapshot)


def put_newer_rules_version(snapshot: dict[str, Any]) -> str:
    """Return the snapshot as text with a newer version of the rules, whose parameters mean other things."""
    snapshot["game"]["rules"]["version"] += 1
    return json.dumps(snapshot)


def put_newer_format(snapshot: dict[str, Any]) -> str:
    snapshot["format"] += 1
    return json.dumps(snapshot)


def cut_snapshot(snapshot: dict[str, Any]) -> str:
    text = json.dumps(snapshot)
    return text[: len(text) // 2]


def put_number_for_event(snapshot: dict[str, Any]) -> str:
    snapshot["recent"] = [7]
    return json.dumps(snapshot)


def damage_table(database: Path, table: int, damage: Spoil) -> tuple[str, ...]:
    """Damage a table's stored snapshot with `damage`; return the hands in it."""
    with closing(sqlite3.connect(database)) as connection:
        (text,) = connection.execute("SELECT snapshot FROM tables WHERE id = ?", (table,)).fetchone()
        snapshot = json.loads(text)
        assert STATE.read(snapshot["game"]).deal == 1
        hands = tuple(snapshot["game"]["hands"])
        connection.execute("UPDATE tables SET snapshot = ? WHERE id = ?", (damage(snapshot), table))
        connection.commit()
    return hands


async def start_two_games(discord: Discord) -> None:
    """Let each of two people start a game."""
    for index in (0, 1):
        await discord.person(index).run("table new", players=2)
        await discord.person(index).run("table start", table=str(index + 1), fill=True)


@pytest.mark.parametrize(
    "how", [add_unknown_parameter, put_newer_rules_version, put_newer_format, cut_snapshot, put_number_for_event]
)
async def test_the_bot_starts_and_every_other_table_continues(
    how: Spoil, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with discord_world(tmp_path) as discord:
        await start_two_games(discord)
        first, second = discord.person(0), discord.person(1)
        hands = damage_table(discord.database, 1, how)
        caplog.clear()
        await discord.restart()
        sentence = words("en-US")("table_refusal.unreadable_table", table=1)
        for command, options in (("hand", {"table": "1"}), ("table show", {"table": "1"}), ("draw", {"table": "1"})):
            assert sentence == text_of(await first.run(command, **options))
        listed = text_of(await first.run("table list"))
        assert "2" in listed
        assert "Table 1" not in listed
        assert ["2"] == await first.suggestions("table show", "table")
        await discord.application.client.board_updater.repair_boards()
        await discord.environment.settle()
        tables = discord.application.tables
        assert [2] == [
            snapshot.id for snapshot in await tables.reading.open_tables_in((await discord.snapshot(2)).guild)
        ]
        assert () == await tables.reading.open_tables_of(first.id)
        assert 1 not in await tables.places.outdated_boards()
        assert 1 not in await tables.reading.tables_with_due_computer_turn()
        other = words("en-US")("table_refusal.unreadable_table", table=2)
        assert other != text_of(await second.run("hand", table="2"))
        await first.run("table new", players=2)
        assert Status.LOBBY is (await discord.snapshot(3)).status
    told = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert [1] == [getattr(record, "table", 0) for record in told]
    assert "cannot be read and is set aside" in caplog.text
    assert not [hand for hand in hands if hand in caplog.text]
