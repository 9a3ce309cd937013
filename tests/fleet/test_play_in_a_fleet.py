"""People play in a fleet whose owners are killed, or whose database is away or set back.

Many tables also share Discord's limits.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from bot.clocks.clock import SystemClock
from bot.loopback.rate_limits import RateLimits
from bot.loopback.rest import RestServer
from bot.loopback.world import Channel
from bot.store.engines.interface import ShardPlan
from bot.store.store import open_store
from bot.tables.core import limits as table_limits
from bot.tables.service import TableService
from bot.tables.state.snapshots import Caller
from cogs.shared.posting.request_budget import Budget, Priority
from tests.fleet.bot_processes import BotFleet, channel_of_shard, fleet_of, new_member
from tests.fleet.simulated_players import Guest, Pair
from tests.support.fleet import Fleet
from tests.support.postgres import Server
from tests.wire.board_player import shown_version, text_of_message, wait_until_boards_are_right

pytestmark = [pytest.mark.nightly, pytest.mark.timeout(900)]


Tell = Callable[[str], None]


async def wait_for_states(bots: BotFleet, *, ready: int, waiting: int, seconds: float = 60) -> None:
    """Wait until `ready` of the running processes are ready and `waiting` others wait for shards."""
    wanted = ["ready"] * ready + ["waiting"] * waiting
    running = [one for one in bots.all if one.process.returncode is None]
    await bots.wait_until(lambda: sorted(one.state for one in running) == wanted, "the states of processes", seconds)


@pytest.mark.parametrize(("shards", "kills", "seconds"), [("1/3", 6, 10), ("4/12", 6, 30)])
async def test_after_a_kill_every_table_of_the_owner_answers_and_moves_in_time(
    rest: RestServer,
    tmp_path: Path,
    safe_server: Server,
    print_past_capture: Tell,
    shards: str,
    kills: int,
    seconds: float,
) -> None:
    size, count = map(int, shards.split("/"))
    channels = [channel_of_shard(rest, shard, count) for shard in range(count)]
    rest.gateway.identify_gap = 5
    address = safe_server.address("canasta")
    took: list[float] = []
    async with fleet_of(rest, tmp_path, safe_server, address, shards=shards, names="p1 p2 p3 p4", at_once=1) as bots:
        await bots.wait_until(rest.gateway.identified.is_set, "connecting", seconds=150)
        await wait_for_states(bots, ready=3, waiting=1)
        for number, channel in enumerate(channels, 1):
            await new_member(rest, channel, f"host{number}").use_command("table new", players=4)
        await wait_until_boards_are_right(rest, bots.stored, seconds=20)
        guests = [Guest(new_member(rest, one, "guest"), number) for number, one in enumerate(channels, 1)]
        order = list(range(0, count, size)) * -(-kills // (count // size))
        Random(7).shuffle(order)
        for number, first in enumerate(order[:kills]):
            killed = bots.owner_of(first)
            rest.gateway.identified.clear()
            await killed.kill()
            began = asyncio.get_running_loop().time()
            moved = await asyncio.gather(*(one.toggle_seat_until_shown() for one in guests[first : first + size]))
            took.append(max(moved) - began)
            await bots.wait_until(rest.gateway.identified.is_set, "taking over")
            await wait_until_boards_are_right(rest, bots.stored, seconds=20)
            await bots.start(f"again{number}")
            await wait_for_states(bots, ready=3, waiting=1)
        assert " ERROR " not in bots.logs()
    print_past_capture(f"{shards}: answered and moved everywhere after {', '.join(f'{one:.1f}' for one in took)} s")
    assert 0 == rest.gateway.refused, "an identify came too soon"
    assert max(took) < seconds


async def fill_with_lobbies(address: str, guests: list[Guest]) -> None:
    """Open a table in the channel of each guest, by a service that owns all shards."""
    limits = table_limits.Limits(tables_per_guild=len(guests), burst=1_000_000, refill=1)
    async with open_store(address, plan=ShardPlan(3, 3, "fill")) as store:
        service = TableService(store, SystemClock(), limits)
        for one in guests:
            channel = one.person.channel
            caller = Caller(one.table, f"host{one.table}", channel.guild, one.table)
            snapshot = await service.lobby.create(caller, channel=channel.id, rules="classic", players=4)
            assert one.table == snapshot.id
        await service.finish()


async def test_two_hundred_tables_stay_within_fifty_requests_a_second(
    rest: RestServer, tmp_path: Path, safe_server: Server, print_past_capture: Tell
) -> None:
    """One process owns 180 of the tables."""
    of_shard = [0] * 180 + [1] * 10 + [2] * 10
    channels = [channel_of_shard(rest, shard, 3) for shard in of_shard]
    guests = [Guest(new_member(rest, one, "guest"), number) for number, one in enumerate(channels, 1)]
    shards = {one.id: shard for one, shard in zip(channels, of_shard, strict=True)}
    address, loop = safe_server.address("canasta"), asyncio.get_running_loop()
    await fill_with_lobbies(address, guests)
    async with fleet_of(rest, tmp_path, safe_server, address, shards="1/3", names="p1 p2 p3") as bots:
        await bots.wait_until(lambda: all(one.board() is not None for one in guests), "posting boards", seconds=120)
        until = loop.time() + 60

        async def press_repeatedly(guest: Guest) -> None:
            await asyncio.sleep(guest.table % 45 / 10)
            while loop.time() < until:
                await guest.toggle_seat_by_command()
                await asyncio.sleep(4.5)

        playing = asyncio.gather(*(press_repeatedly(one) for one in guests))
        await asyncio.sleep(20)
        began, number = loop.time(), len(rest.requests)
        await asyncio.sleep(30)
        seconds, counted = loop.time() - began, Counter[int]()
        for asked in rest.requests[number:]:
            if asked.path.startswith("/channels/"):
                counted[shards[int(asked.path.split("/")[2])]] += 1
        await playing
        await wait_until_boards_are_right(rest, bots.stored, seconds=60)
    rates = [counted[shard] / seconds for shard in range(3)]
    text = ", ".join(f"{one:.1f}" for one in rates)
    print_past_capture(
        f"requests a second of each process: {text}; in the busiest second of all: {rest.limits.busiest}"
    )
    assert [] == rest.limits.broken


async def test_a_process_with_nine_tenths_of_play_gets_most_requests(fleet: Fleet, print_past_capture: Tell) -> None:
    budgets = [Budget(SystemClock(), common=(await fleet.open_store(1, 3)).budgets) for _ in range(3)]
    limits, counted, loop = RateLimits(), Counter[int](), asyncio.get_running_loop()
    until, sending = loop.time() + 20, set[asyncio.Task[None]]()

    async def send(place: int) -> None:
        await budgets[place].wait_for_turn(Priority.EDIT)
        counted[place] += 1
        limits.count_request(f"a channel of its own {place} {counted[place]}")

    async def send_at_rate(place: int, a_second: int) -> None:
        while loop.time() < until:
            sending.add(asyncio.create_task(send(place)))
            await asyncio.sleep(1 / a_second)

    await asyncio.gather(*(send_at_rate(place, a_second) for place, a_second in enumerate((60, 5, 1))))
    for one in sending:
        one.cancel()
    for budget in budgets:
        await budget.close()
    rates = [counted[place] / 20 for place in range(3)]
    text = ", ".join(f"{one:.1f}" for one in rates)
    print_past_capture(f"of 60, 5 and 1 requests a second got: {text}; in the busiest second of all: {limits.busiest}")
    assert [] == limits.broken
    assert rates[0] > 25


async def test_a_minute_without_the_database_costs_no_player_time(
    rest: RestServer, tmp_path: Path, safe_server: Server, print_past_capture: Tell
) -> None:
    address, loop = safe_server.address("canasta"), asyncio.get_running_loop()
    channels = [channel_of_shard(rest, shard, 2) for shard in (0, 1, 0, 1)]
    async with fleet_of(rest, tmp_path, safe_server, address, shards="1/2", names="p1 p2") as bots:
        await bots.wait_until(rest.gateway.identified.is_set, "connecting")
        await wait_for_states(bots, ready=2, waiting=0)
        pairs = [await Pair.begin_game(rest, one, bots.stored) for one in channels]
        await asyncio.gather(*(one.play_turns(2) for one in pairs))
        await wait_until_boards_are_right(rest, bots.stored, seconds=20)
        before = bots.stored.stored_versions()
        safe_server.kill()
        killed = loop.time()
        sent, told = len(rest.channel_requests()), Counter[str]()
        while loop.time() - killed < 60:
            told.update(await asyncio.gather(*(one.try_to_draw() for one in pairs)))
            await asyncio.sleep(1)
        assert sent == len(rest.channel_requests()), "something was sent of the bot's own accord"
        safe_server.start()
        await bots.wait_until(lambda: all("the database is back" in one.log for one in bots.all), "coming back")
        assert before == bots.stored.stored_versions()
        assert {("ERROR canasta.store",)} == {tuple(one.warnings_and_errors) for one in bots.all}, bots.logs()
        await asyncio.gather(*(one.play_turns(4) for one in pairs))
        await wait_until_boards_are_right(rest, bots.stored, seconds=20)
        away = bots.stored.query_database("SELECT max(end_at - start_at) FROM outages GROUP BY shard")
        logs = bots.stored.query_database("SELECT count(*), max(version) FROM actions GROUP BY table_id")
    print_past_capture(f"without the database: {sum(told.values())} presses answered, outages of {sorted(away)} ms")
    answers = set(told) - {""}  # There is no answer where a computer player was in turn.
    assert answers
    assert all("can't be reached right now" in one or "can't tell yet" in one for one in answers), told
    assert 2 == len(away)
    assert min(away)[0] > 55_000, "the minute counts for nobody"
    assert all(rows == version for rows, version in logs)
    assert [] == repeated_calls(rest, pairs)


def repeated_calls(rest: RestServer, pairs: list[Pair]) -> list[tuple[int, int, str]]:
    """Return table, version and person of every notice that called a person twice."""
    calls = Counter[tuple[int, int, str]]()
    for message in rest.made:
        for one in pairs:
            version = shown_version(message, one.table)
            if version is not None:
                calls.update((one.table, version, person) for person in message["allowed"].get("users") or ())
    assert calls
    return [one for one, times in calls.items() if times > 1]


def has_loss_notice(channel: Channel) -> bool:
    """Return whether a message in the channel says that the game has lost its last moves."""
    return any("lost its last moments" in text_of_message(message) for message in channel.messages.values())


async def test_tables_that_are_set_back_by_fifty_commits_say_so_and_go_on(
    rest: RestServer, tmp_path: Path, safe_server: Server, print_past_capture: Tell
) -> None:
    address = safe_server.address("canasta")
    channels = [channel_of_shard(rest, 0, 1) for _ in range(4)]
    async with fleet_of(rest, tmp_path, safe_server, address, shards="auto", names="p1") as bots:
        await bots.wait_until(rest.gateway.identified.is_set, "connecting")
        await wait_for_states(bots, ready=1, waiting=0)
        for number, channel in enumerate(channels, 1):
            await new_member(rest, channel, f"host{number}").use_command("table new", players=4)
        guests = [Guest(new_member(rest, one, "guest"), number) for number, one in enumerate(channels, 1)]
        await wait_until_boards_are_right(rest, bots.stored, seconds=20)
        safe_server.kill()
        safe_server.copy_data_directory()
        safe_server.start()
        await bots.wait_until(lambda: "the database is back" in bots.all[0].log, "coming back")
        newest = bots.stored.stored_versions()
        before = sum(versions[0] for versions in newest.values())
        while sum(versions[0] for versions in newest.values()) < before + 50:
            for one in guests:
                await one.toggle_seat()
            newest = bots.stored.stored_versions()
        await wait_until_boards_are_right(rest, bots.stored, seconds=20)
        safe_server.kill()
        safe_server.restore_data_directory()
        safe_server.start()
        await bots.wait_until(lambda: "the database lost its last moments: 4 tables" in bots.all[0].log, "noticing it")
        await wait_until_boards_are_right(rest, bots.stored, seconds=30)
        lost = [newest[one.table][0] - bots.stored.version(one.table) for one in guests]
        print_past_capture(f"set back: {sum(lost)} commits lost at {len(lost)} tables")
        assert min(lost) > 0
        await bots.wait_until(lambda: all(map(has_loss_notice, channels)), "saying so")
        for one in guests:
            one.is_seated = False
        await asyncio.gather(*(one.toggle_seat_until_shown() for one in guests))
        await wait_until_boards_are_right(rest, bots.stored, seconds=20)
