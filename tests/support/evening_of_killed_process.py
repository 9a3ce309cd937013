"""A process that plays at tables and enters a cup, acknowledging each step; tests kill it.

`python -m tests.support.evening_of_killed_process DATABASE FIRST`: carries out the steps from FIRST on, and prints the
number of each when it is stored. A repeated step has the same request and instant, so it has an effect only once.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from itertools import repeat
from pathlib import Path
from typing import Final, TypeAlias

from bot.clocks.clock import HOUR, SECOND
from bot.computer.player import player_for
from bot.engine.play.building_views import seat_view
from bot.engine.table.state import seat_to_act
from bot.store.notices import NoticeRow
from bot.tables.state.clocks import Conclusion, TableSettings
from bot.tables.state.events import GameConcluded
from bot.tables.state.refusals import TableRefusal
from bot.tables.state.requests import Decision, TableRequest
from bot.tables.state.shuffle import SEED_BYTES
from bot.tables.state.snapshots import Caller, Status
from bot.tables.state.table import Table
from bot.tournaments.event.refusals import TournamentRefusal
from bot.tournaments.service import TournamentService
from tests.support.clock import START, ManualClock
from tests.support.stacked_dealer import StackedDealer
from tests.support.tables import CHANNEL, EAST, GUILD, NORTH, SOUTH, WEST, World, open_world
from tests.support.tournaments import usual_plan

TURNS: Final = 30
"""Steps of play at each table."""

APART: Final = 7 * SECOND

FIRST_REQUEST: Final = 9_000_000

PLAYER: Final = player_for("casual", 0)

As: TypeAlias = Callable[[int], Caller]
"""A function that returns the caller of a step for a person."""

Step: TypeAlias = Callable[[World, TournamentService, As], Awaitable[object]]


def evening_steps() -> list[Step]:
    """Return all steps of the evening, in order."""
    found: list[Step] = [_open_table, _open_table, _create_cup]
    found += [partial(_take_seat, table=table, person=person) for table in (1, 2) for person in (EAST, SOUTH, WEST)]
    found += [partial(_start_game, table=1), partial(_start_game, table=2)]
    for turn in range(TURNS):
        found += [partial(_play_turn, table=1), partial(_play_turn, table=2)]
        found += [_OTHERS[turn % len(_OTHERS)]]
    found += [partial(_end_game, table=1), partial(_end_game, table=2), _delete_person]
    return found


async def _open_table(world: World, _events: TournamentService, caller: As) -> None:
    """Open a lobby, and commit the seed of its first deal if a kill has prevented that."""
    settings = replace(TableSettings(), rated=True)
    snapshot = await world.service.lobby.create(caller(NORTH), channel=CHANNEL, players=4, settings=settings)
    if not snapshot.shuffle:
        await world.service._context.repository.publish_seed_commitment(snapshot.id)


async def _take_seat(world: World, _events: TournamentService, caller: As, *, table: int, person: int) -> None:
    await world.service.lobby.join(caller(person), table)


async def _start_game(world: World, _events: TournamentService, caller: As, *, table: int) -> None:
    await world.service.lobby.start(caller(NORTH), table)


async def _play_turn(world: World, _events: TournamentService, caller: As, *, table: int) -> None:
    """Let the player in turn act, unless this step is already stored."""
    stored = await world.store.tables.action_of_request(caller(NORTH).request)
    if stored is not None:
        return
    state = (await world.service._context.repository.get(table)).record.game
    seat = None if state is None else seat_to_act(state)
    if state is None or seat is None:
        await world.service.play.begin_next_deal(caller(NORTH), table)
        return
    snapshot = await world.service.reading.snapshot(table)
    person = snapshot.seats[seat].person
    assert person is not None
    await world.service.play.act(caller(person), table, PLAYER.choose(seat_view(state, seat)).step)


async def _create_cup(_world: World, events: TournamentService, caller: As) -> None:
    plan = usual_plan(starts_at=START + 20 * HOUR, rounds=1)
    await events.entering.create(caller(NORTH), channel=CHANNEL, plan=plan)


async def _publish_cup(_world: World, events: TournamentService, caller: As) -> None:
    await events.entering.publish(caller(NORTH), 1)


async def _enter_pair(_world: World, events: TournamentService, caller: As) -> None:
    await events.entering.enter(caller(EAST), 1, partners={WEST: "West"})


async def _leave_cup(_world: World, events: TournamentService, caller: As) -> None:
    await events.entering.leave(caller(EAST), 1)


async def _choose_preferences(world: World, _events: TournamentService, caller: As) -> None:
    await world.store.preferences.set("person", SOUTH, {"theme": "light", "notices": "dm"})
    await world.personal.set_automatic_vacation(SOUTH, automatic=bool(caller(SOUTH).request % 2))


async def _store_notice(world: World, _events: TournamentService, caller: As) -> None:
    about = f"1.{caller(WEST).request}"
    await world.store.notices.set_notice(NoticeRow(1, WEST, about, "half", None, None, world.clock.now()))
    await world.store.rooms.set_channel(WEST, 77, world.clock.now())


_OTHERS: Final = (_publish_cup, _enter_pair, _choose_preferences, _store_notice, _leave_cup)


async def _end_game(world: World, _events: TournamentService, _caller: As, *, table: int) -> None:
    if (await world.service.reading.snapshot(table)).status is not Status.PLAYING:
        return

    async def decide_end(_: Table) -> Decision:
        return Decision((GameConcluded(Conclusion("resigned", 0, (0, 0), last=1)),))

    await world.service._context.repository.change(table, TableRequest("conclude", {}), decide_end)


async def _delete_person(world: World, _events: TournamentService, caller: As) -> None:
    await world.service.people.forget(caller(SOUTH))


@asynccontextmanager
async def _open_services(database: Path, clock: ManualClock) -> AsyncIterator[tuple[World, TournamentService]]:
    """Yield the services on this database, after the deletions that an earlier process left unfinished."""
    dealer = StackedDealer(seeds=repeat(bytes(SEED_BYTES)))  # a seed lost with its table must be drawn again unchanged
    async with open_world(database, clock=clock, silence=10**15, dealer=dealer) as world:
        events = TournamentService(world.store, clock, world.service, away=world.readiness.outages, dealer=dealer)
        world.service.people.subscribe_before_deletion(events.entering.withdraw_all_entries)
        world.service.people.subscribe_after_deletion(events.forget)
        for row in await world.store.outbox.all_promises():
            if row.kind == "forget":
                await world.service.people.carry_out_deletion(int(row.key))
        yield world, events


async def main(database: Path, first_step: int) -> None:
    """Carry out the steps from number `first_step` on, and print the number of each when it is stored."""
    clock = ManualClock(START + first_step * APART)
    async with _open_services(database, clock) as (world, events):
        for number, step in enumerate(evening_steps()[first_step:], first_step):
            clock.instant = START + number * APART

            def caller(person: int, number: int = number) -> Caller:
                return Caller(person, world.names[person], GUILD, FIRST_REQUEST + number)

            with suppress(TableRefusal, TournamentRefusal):  # a refused step is refused in every run
                await step(world, events, caller)
            sys.stdout.write(f"{number}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
