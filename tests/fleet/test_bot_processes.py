"""Real processes of one fleet: a spare replaces a killed one, and nothing is shown or called twice."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.loopback.rest import RestServer
from tests.fleet.bot_processes import channel_of_shard, fleet_of, new_member
from tests.support.kill_points_of_deletions import POINTS
from tests.support.postgres import Server
from tests.wire.board_player import Player, board_of, control, text_of_message, wait_until_boards_are_right


async def test_a_spare_takes_over_from_a_killed_owner(rest: RestServer, tmp_path: Path, safe_server: Server) -> None:
    channels = [channel_of_shard(rest, shard, 2) for shard in (0, 1)]
    hosts = [new_member(rest, channel, f"host{shard}") for shard, channel in enumerate(channels)]
    address = safe_server.address("canasta")
    async with fleet_of(rest, tmp_path, safe_server, address, shards="1/2", names="p1 p2 p3") as bots:
        await bots.wait_until(rest.gateway.identified.is_set, "connecting")
        await bots.wait_until(
            lambda: sorted(one.state for one in bots.all) == ["ready", "ready", "waiting"], "being ready"
        )
        for table, host in enumerate(hosts, 1):
            await host.use_command("table new", players=2)
            assert f"Table {table}" in text_of_message(await Player(host, table, bots.stored).board("start"))
        await wait_until_boards_are_right(rest, bots.stored, seconds=20)
        killed, other = bots.owner_of(1), bots.owner_of(0)
        rest.gateway.identified.clear()
        await killed.kill()
        await bots.wait_until(rest.gateway.identified.is_set, "taking over")
        spare = bots.owner_of(1)
        assert spare.name not in (killed.name, other.name)
        listed = (await hosts[1].use_command("table list")).answer
        assert listed is not None
        assert "Table 2" in text_of_message(listed)
        assert "Table 1" not in text_of_message(listed)
        await new_member(rest, channels[1], "guest").use_command("table join")
        await wait_until_boards_are_right(rest, bots.stored, seconds=20)
        board = await Player(hosts[1], 2, bots.stored).board("start")
        assert control(board, "start") is not None
        again = await bots.start(killed.name)
        await bots.wait_until(lambda: again.state == "waiting", "waiting again")
        assert " ERROR " not in bots.logs()
    assert [0, 0, 0] == [one.process.returncode for one in (spare, other, again)]


def count_posted_messages(rest: RestServer) -> int:
    """Return the number of messages posted in channels."""
    return sum(one.method == "POST" and one.path.endswith("/messages") for one in rest.requests)


async def test_while_the_database_is_away_people_are_told_and_play_goes_on_afterwards(
    rest: RestServer, tmp_path: Path, safe_server: Server
) -> None:
    host = new_member(rest, channel_of_shard(rest, 0, 1), "host")
    address = safe_server.address("canasta")
    async with fleet_of(rest, tmp_path, safe_server, address, shards="auto", names="p1") as bots:
        await bots.wait_until(rest.gateway.identified.is_set, "connecting")
        await bots.wait_until(lambda: bots.all[0].state == "ready", "being ready")
        await host.use_command("table new", players=2)
        await wait_until_boards_are_right(rest, bots.stored, seconds=20)
        safe_server.kill()
        told = (await host.use_command("table new", players=2)).answer
        assert told is not None
        assert "can't be reached right now" in text_of_message(told) or "can't tell yet" in text_of_message(told)
        stranger = new_member(rest, host.channel, "stranger")  # the bot would have to look up the stranger's language
        told = (await stranger.use_command("table join")).answer
        assert told is not None
        assert "can't be reached right now" in text_of_message(told)
        newcomer = await bots.start("p2")
        await bots.wait_until(lambda: newcomer.state == "waiting", "waiting for the database")
        await asyncio.sleep(6)  # long enough for every part of the bot to notice the outage
        safe_server.start()
        await bots.wait_until(lambda: "the database is back" in bots.all[0].log, "coming back")
        await new_member(rest, host.channel, "guest").use_command("table join")
        await wait_until_boards_are_right(rest, bots.stored, seconds=20)
        assert 1 == count_posted_messages(rest)
        assert bots.owner_of(0) is bots.all[0], "one that comes later waits for the former owner"
        assert ["ERROR canasta.store"] == bots.all[0].warnings_and_errors, bots.logs()
        assert ["WARNING canasta.store"] == newcomer.warnings_and_errors, bots.logs()
        assert 1 == bots.all[0].log.count("the database is back")
        assert [None, None] == [one.process.returncode for one in bots.all]
        safe_server.kill()
        bots.all[0].process.terminate()
        assert 0 == await asyncio.wait_for(bots.all[0].process.wait(), 20), bots.logs()


async def tables_that_name(server: Server, person: int) -> list[str]:
    """Return the database tables in which some row contains the person's number, even within a text."""
    names = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
    tables = (await asyncio.to_thread(server.run_sql, names, "canasta")).split()
    rows = (f"SELECT '{one}' FROM {one} WHERE CAST({one} AS TEXT) LIKE '%{person}%'" for one in tables)  # noqa: S608
    return (await asyncio.to_thread(server.run_sql, " UNION ".join(rows), "canasta")).split()


@pytest.mark.parametrize(
    ("point", "names"),
    [
        ("between_tables", "p1 p2 p3"),
        *(pytest.param(point, "p1 p2 p3 spare", marks=pytest.mark.nightly) for point in POINTS),
    ],
)
async def test_a_person_is_deleted_at_three_owners_though_one_is_killed_meanwhile(
    rest: RestServer,
    tmp_path: Path,
    safe_server: Server,
    print_past_capture: Callable[[str], None],
    point: str,
    names: str,
) -> None:
    channels = [channel_of_shard(rest, shard, 3) for shard in (0, 0, 1, 1, 2, 2)]
    person = new_member(rest, channels[2], "leaver")
    address = safe_server.address("canasta")
    program = f"tests.support.kill_points_of_deletions {point}"
    async with fleet_of(rest, tmp_path, safe_server, address, shards="1/3", names=names, program=program) as bots:
        await bots.wait_until(rest.gateway.identified.is_set, "connecting")
        for number, channel in enumerate(channels):
            await new_member(rest, channel, f"host{number}").use_command("table new", players=4)
            await person.with_channel(channel).use_command("table join")
        await wait_until_boards_are_right(rest, bots.stored, seconds=20)
        asked = (await person.use_command("me delete")).answer
        assert asked is not None
        opened = await person.use_control(asked, control(asked, "forget_me") or {})
        victim = bots.owner_of(2 if point in ("between_tables", "left") else 0)
        deleting = asyncio.create_task(person.submit_form(opened, "delete"))
        await bots.wait_until(lambda: victim.process.returncode is not None, "being killed")
        assert -signal.SIGKILL == victim.process.returncode
        named = await tables_that_name(safe_server, person.id)
        assert bool(named) is (point != "deleted")
        if "spare" not in names:
            await bots.start("again")
        async with asyncio.timeout(60):
            while await tables_that_name(safe_server, person.id):
                await asyncio.sleep(0.2)
        told = (await deleting).answer
        assert told is not None
        assert "deleted" in text_of_message(told).lower(), text_of_message(told)
        await wait_until_boards_are_right(rest, bots.stored, seconds=20)
        print_past_capture(f"killed at {point}: {len(named)} tables named the person then, none afterwards")
        for table, channel in enumerate(channels, 1):
            board = json.dumps(board_of(channel, table))
            assert f"host{table - 1}" in board
            assert "leaver" not in board
