"""The acceptance scenarios of `docs/long-games.md` that no other test covers completely, by number."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.quiet_hours import QuietWindow
from bot.clocks.time_rules import DAY, PRESETS, ClockTerms, SeatClock
from bot.computer.player import player_for
from bot.engine.cards.notation import parse_card
from bot.engine.moves.actions import ASK, DRAW, Answer, Discard, DiscardCard
from bot.engine.table.state import State
from bot.tables.state.clocks import DEFAULT_LEVEL, Clocks, TableSettings
from bot.tables.state.proposals import ProposalKind
from bot.tables.state.refusals import TableCode
from bot.tables.state.snapshots import Status, TableSnapshot
from bot.tables.state.table import Table
from tests.support.database_search import columns_containing
from tests.support.game_histories import PEOPLE, example_record
from tests.support.ringing_alarms import ring_alarms_until
from tests.support.tables import CHANNEL, EAST, GUILD, NAMES, NORTH, SOUTH, WEST, World, open_world, refusal_of
from tests.tables.test_hidden_cards import redeal_hidden_cards
from tests.tables.test_record_files import play_example_game, play_four_turns, stack_example_pack

FOUR = (NORTH, EAST, SOUTH, WEST)
DAILY = TableSettings(clock=PRESETS["daily"])


async def start_game(world: World, settings: TableSettings) -> TableSnapshot:
    """Start a game of four people with the given settings."""
    snapshot = await world.service.lobby.create(
        world.caller(NORTH), channel=CHANNEL, players=4, target=20_000, settings=settings
    )
    for person in FOUR[1:]:
        await world.service.lobby.join(world.caller(person), snapshot.id)
    return await world.service.lobby.start(world.caller(NORTH), snapshot.id)


async def clocks_of(world: World, table: int) -> Clocks:
    found = (await world.service.reading.snapshot(table)).clocks
    assert found is not None
    return found


async def test_acceptance_4_a_player_asked_at_night_answers_by_day(world: World) -> None:
    """B is asked at 23:30 and sleeps till 8.

    Example 8 gives the result: of 13 hours awake, one is charged.
    """
    world.clock.advance((-world.clock.now()) % DAY + 23 * HOUR + 20 * MINUTE)
    evening = world.clock.now()
    await world.personal.set_quiet_hours(SOUTH, QuietWindow("UTC", 22 * 60, 10), evening)
    stack_example_pack(world)
    table = (await start_game(world, DAILY)).id
    await play_four_turns(world, table)
    world.clock.advance(10 * MINUTE)
    await world.service.play.act(world.caller(NORTH), table, DRAW)
    await world.service.play.act(world.caller(NORTH), table, ASK)
    asked = await clocks_of(world, table)
    assert (2, SeatClock(72 * HOUR - 10 * MINUTE)) == (asked.owes, asked.seats[0])
    assert SeatClock(72 * HOUR, allowance=12 * HOUR) == asked.seats[2]

    await ring_alarms_until(world, evening + 10 * MINUTE + 8 * HOUR + 30 * MINUTE + 13 * HOUR)
    await world.service.play.act(world.caller(SOUTH), table, Answer(yes=False))
    answered = await clocks_of(world, table)
    assert (0, SeatClock(71 * HOUR)) == (answered.owes, answered.seats[2])
    assert SeatClock(72 * HOUR - 10 * MINUTE) == answered.seats[0]
    world.clock.advance(5 * MINUTE)
    await world.service.play.act(world.caller(NORTH), table, DiscardCard(parse_card("5h")))
    assert SeatClock(72 * HOUR) == (await clocks_of(world, table)).seats[0], "15 minutes, and the increment to the cap"


async def test_acceptance_4_an_answer_at_eight_costs_nothing(world: World) -> None:
    """A player who answers at eight, when the quiet hours end, is charged no time.

    The allowance for answers is kept too.
    """
    world.clock.advance((-world.clock.now()) % DAY + 23 * HOUR + 30 * MINUTE)
    night = world.clock.now()
    await world.personal.set_quiet_hours(SOUTH, QuietWindow("UTC", 22 * 60, 10), night)
    stack_example_pack(world)
    table = (await start_game(world, replace(DAILY, clock=ClockTerms("custom", 20 * HOUR, 0, 20 * HOUR)))).id
    await play_four_turns(world, table)
    await world.service.play.act(world.caller(NORTH), table, DRAW)
    await world.service.play.act(world.caller(NORTH), table, ASK)
    await ring_alarms_until(world, night + 8 * HOUR + 30 * MINUTE)
    await world.service.play.act(world.caller(SOUTH), table, Answer(yes=True))
    assert (SeatClock(20 * HOUR),) * 4 == (await clocks_of(world, table)).seats


async def test_acceptance_8_exports_do_not_depend_on_hidden_cards(world: World) -> None:
    """Exports of each player and the file of the game stay the same if hidden cards change places.

    Notices are compared in `tests/cogs/test_turn_notice_decisions.py`, logs and replays in
    `tests/tables/test_logs_and_replays.py`.
    """
    random = Random(8)
    table = (await world.start_game(*FOUR)).id
    await world.play_deal(table, random)
    await world.service.play.begin_next_deal(world.caller(NORTH), table)
    for _ in range(30):
        await world.take_random_step(table, random)
    ledger = world.service._context.repository
    current_table = await ledger.get(table)
    told = [await _exported_data(world, table, person) for person in FOUR]
    game_, tried = current_table.record.game, 0
    assert game_ is not None
    while tried < 5:
        other = redeal_hidden_cards(game_, random, None)
        tried += other.hands != game_.hands
        ledger.records.put(table_with_game(current_table, other))
        world.clock.advance(DAY)
        assert told == [await _exported_data(world, table, person) for person in FOUR]


async def _exported_data(world: World, table: int, person: int) -> tuple[object, ...]:
    given = await world.service.people.export(world.caller(person))
    file = await world.service.past.game_file(table, person=person, guild=GUILD)
    return given["tables"], file


def table_with_game(table: Table, game: State) -> Table:
    return replace(table, record=replace(table.record, game=game))


SHORT = TableSettings(clock=ClockTerms("custom", 24 * HOUR, 6 * HOUR, 24 * HOUR), latest_end=14)


async def test_acceptance_9_after_the_latest_end_a_game_lasts_at_most_four_banks(world: World) -> None:
    """All players stop playing: nobody gets more time or a vote, and computer players end the deal."""
    snapshot = await start_game(world, SHORT)
    table, start = snapshot.id, world.clock.now()
    while world.clock.now() + 7 * HOUR <= start + 14 * DAY:
        await _play_turn(world, table, 7 * HOUR)
    await ring_alarms_until(world, start + 14 * DAY)
    snapshot = await world.service.reading.snapshot(table)
    assert (True, Status.PLAYING) == (snapshot.last_deal, snapshot.status)
    began = world.clock.now()
    while snapshot.status is Status.PLAYING:
        due = await world.store.times.next_due_at()
        assert due is not None
        await ring_alarms_until(world, due)
        await _let_computers_play(world, table)
        snapshot = await world.service.reading.snapshot(table)
        assert snapshot.vote is None
    assert snapshot.conclusion is not None
    assert "latest_end" == snapshot.conclusion.how
    assert world.clock.now() - began <= 4 * 24 * HOUR + MINUTE
    assert all(clock.vacation_days == 0 for clock in (snapshot.clocks or Clocks(())).seats)
    assert await world.store.times.next_due_at() is None


async def test_acceptance_9_no_time_is_added_after_the_latest_end(world: World) -> None:
    snapshot = await start_game(world, SHORT)
    table, start = snapshot.id, world.clock.now()
    while world.clock.now() + 7 * HOUR <= start + 14 * DAY:
        await _play_turn(world, table, 7 * HOUR)
    await ring_alarms_until(world, start + 14 * DAY)
    banks = [clock.bank for clock in (await clocks_of(world, table)).seats]
    given = world.service.masters.give_time(world.caller(EAST), table, seat=0)
    assert TableCode.TIME_IS_OVER is (await refusal_of(given))[0]
    slower = world.service.consent.propose(world.caller(EAST), table, ProposalKind.SLOWER_CLOCK)
    assert TableCode.TIME_IS_OVER is (await refusal_of(slower))[0]
    for _ in range(8):
        await _play_turn(world, table, HOUR)
        clocks = await clocks_of(world, table)
        after = [clock.bank for clock in clocks.seats]
        assert all(then <= before for before, then in zip(banks, after, strict=True))
        banks = after


async def _play_turn(world: World, table: int, thought: int) -> None:
    """Let the player in turn think, draw and discard; after a finished deal start the next one."""
    snapshot = await world.service.reading.snapshot(table)
    if snapshot.next_deal_at is not None:
        await ring_alarms_until(world, snapshot.next_deal_at)
    await ring_alarms_until(world, world.clock.now() + thought)
    while True:
        snapshot, seat, view = await world.current_turn(table)
        person = snapshot.seats[seat].person
        assert person is not None
        discards = [one for one in view.legal if isinstance(one, Discard)]
        await world.service.play.act(world.caller(person), table, (discards or view.legal)[0])
        if discards or (await world.service.reading.snapshot(table)).next_deal_at is not None:
            return


PLAYER = player_for(DEFAULT_LEVEL, seed=1)


async def _let_computers_play(world: World, table: int) -> None:
    """Let computer players make all their pending moves."""
    while (turn := await world.service.reading.computer_turn(table)) is not None and turn.view is not None:
        step = PLAYER.choose(turn.view).step
        await world.service.play.act_for_computer(table, turn.seat, step, expected_version=turn.table.version)


async def test_acceptance_10_after_delete_no_row_holds_the_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The example game's record then says "Former player" for the name; the rest is unchanged."""
    called = "Ana Quist-Obregon"
    for person, name in zip(FOUR, (called, *PEOPLE[1:]), strict=False):
        monkeypatch.setitem(NAMES, person, name)
    path = tmp_path / "canasta.db"
    async with open_world(path) as world:
        table = await play_example_game(world)
        before = (await world.service.past.game_file(table, person=EAST, guild=GUILD)).text
        assert example_record() == before.replace(called, "Ana")
        assert columns_containing(path, called)
        await world.service.people.forget(world.caller(NORTH))
        after = (await world.service.past.game_file(table, person=EAST, guild=GUILD)).text
        assert example_record() == after.replace("Former player", "Ana")
    assert set() == columns_containing(path, called)
    async with open_world(path, first_request=6_000_000) as world:
        assert (await world.service.reading.snapshot(table)).seats[0].is_former
