"""In a cup with faults, every log line about a table or a tournament has its number."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.clocks.clock import MINUTE
from bot.logs import TextFormatter
from bot.tournaments.event.tournament import Stage
from tests.cogs.tournament.test_tournament_messages import start_cup
from tests.support.discord_tournaments import CupServer, cup_world
from tests.support.two_pairs_database import damage_database

OF_THE_BOT = (
    "database ",
    "a file of deletions",
    "listening",
    "the log of the database",
    "the answer to a press",
    "acknowledging",
    "told Discord",
)
"""Beginnings of log lines about the whole bot, or about one answer to a press."""

NUMBERED = re.compile(r" (table|tournament|series)=[1-9]")


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """Yield a text buffer that collects the log."""
    stream, root = io.StringIO(), logging.getLogger()
    handler, level = logging.StreamHandler(stream), root.level
    handler.setFormatter(TextFormatter())
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    yield stream
    root.removeHandler(handler)
    root.setLevel(level)


def own_lines(log: io.StringIO) -> list[str]:
    """Return the log lines of the program itself, without those of libraries."""
    return [line for line in log.getvalue().splitlines() if re.match(r"\S+ [A-Z]+ (canasta|bot|cogs)[.:]", line)]


def lines_without_number(log: io.StringIO) -> list[str]:
    """Return the lines about a table, tournament or series that do not name it."""
    return [
        line
        for line in own_lines(log)
        if not NUMBERED.search(line) and not line.partition(": ")[2].startswith(OF_THE_BOT)
    ]


async def refuse_some_requests(
    cup: CupServer, path: str, *, method: str = "POST", status: int = 500, code: int = 0
) -> None:
    """Let Discord refuse some of the next requests to that path."""
    for _ in range(3):
        cup.discord.environment.inject_error(method, path, status=status, code=code)


async def play_with_faults(cup: CupServer) -> None:
    """Play a cup while various parts fail.

    Discord refuses requests, a table and another cup cannot be read, and the bot restarts.
    """
    await start_cup(cup, 4, places=4)
    await cup.publish(name="Other cup")
    await refuse_some_requests(cup, "/channels/*/messages")
    await refuse_some_requests(cup, "/channels/*/messages/*", method="PATCH", status=403, code=50013)
    await cup.pass_time(MINUTE)
    for match in (await cup.tournament()).matches:
        await refuse_some_requests(cup, "/channels/*/messages", status=403, code=50001)
        await cup.play_match(match)

    def damage_rows() -> None:
        damage_database(cup.discord.database, "UPDATE tournaments SET snapshot = '{' WHERE id = 2")
        damage_database(cup.discord.database, "UPDATE tables SET snapshot = '{' WHERE id = 1")

    await cup.discord.restart(meanwhile=damage_rows)
    await cup.wait_until_idle()
    await refuse_some_requests(cup, "/guilds/*/scheduled-events*", method="GET")
    for _ in range(5):
        await cup.pass_time(MINUTE)
    await cup.organiser.run("tournament list")
    await cup.advance_to(Stage.CLOSED)


async def test_every_log_line_about_a_table_or_tournament_names_its_number(
    tmp_path: Path, log: io.StringIO, caplog: pytest.LogCaptureFixture
) -> None:
    async with cup_world(tmp_path, people=8) as cup:
        await play_with_faults(cup)
    assert [] == lines_without_number(log)
    lines = own_lines(log)
    assert len(lines) > 20
    assert 2 == sum("cannot be read and is set aside" in line for line in lines)
    assert any("was not possible" in line for line in lines)
    logging.getLogger("canasta.tournaments").warning("a cup waits")
    assert 1 == len(lines_without_number(log)), "what this test looks for would be seen"
    caplog.clear()
