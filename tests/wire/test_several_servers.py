"""Several servers on one connection, emojis, and a start when few more connections are allowed."""

from __future__ import annotations

from pathlib import Path

from bot.loopback.people import Person
from bot.loopback.rest import RestServer
from tests.support.forked_processes import running_forked_bot
from tests.wire.board_player import text_of_message
from tests.wire.cup_of_eight import wait_for


async def test_tables_of_one_server_are_not_listed_in_another(rest: RestServer, tmp_path: Path) -> None:
    other = rest.world.add_server("Chess Club")
    here = Person(rest, rest.world.add_channel("canasta"), "here")
    there = Person(rest, rest.world.add_channel("canasta", server=other), "there")
    async with running_forked_bot(rest, tmp_path, emojis="on") as bot:
        await here.use_command("table new")
        listed = [(await one.use_command("table list")).answer for one in (here, there)]
        assert [True, False] == [one is not None and "Table 1" in text_of_message(one) for one in listed]
        await wait_for(lambda: len(rest.world.emojis) >= 3)
        assert " ERROR " not in bot.log


async def test_the_bot_does_not_connect_if_discord_allows_few_more_starts(rest: RestServer, tmp_path: Path) -> None:
    rest.world.starts |= {"remaining": 20, "reset_after": 3_600_000}
    async with running_forked_bot(rest, tmp_path, connects=False) as bot:
        await wait_for(lambda: " CRITICAL " in bot.log)
        assert 0 == rest.gateway.identifies
