"""Every deadline of tables but one, and the ways to stop a table: pause, lost channel, outage."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from bot.clocks.clock import HOUR, MINUTE, merge_spans
from bot.clocks.time_rules import DAY, PRESETS
from bot.tables.state.clocks import TableSettings
from bot.tables.state.proposals import ProposalKind
from bot.tables.state.snapshots import Status, TableSnapshot
from tests.support.absent_player_games import start_clock_game
from tests.support.ringing_alarms import ring_alarms_until
from tests.support.tables import EAST, NORTH, SOUTH, STRANGER, World

PLAIN: Final = TableSettings(clock=PRESETS["daily"], extension=False, vacation=0)
FOREVER: Final = 400 * DAY


@dataclass(frozen=True, slots=True)
class DeadlineCase:
    """A deadline to test: functions that begin it and check its end, and its times.

    `middle` and `lasts` are milliseconds from the beginning. With `lobby`, the table is a lobby, which cannot be paused
    or lose its channel.
    """

    begins: Callable[[World], Awaitable[int]]
    is_over: Callable[[TableSnapshot], bool]
    middle: int
    lasts: int
    lobby: bool = False


async def _start_game(world: World, settings: TableSettings = PLAIN) -> int:
    """Start a game of two people with a clock, and return its table's number."""
    return (await start_clock_game(world, NORTH, EAST, players=2, settings=settings)).id


async def _open_table_with_clock(world: World) -> int:
    """Open a table whose clock runs; return its number."""
    return await _start_game(world)


async def _open_table_with_vacation_day(world: World) -> int:
    """Open a table at which North's time is used up and a day of vacation runs; return its number."""
    table = await _start_game(world, replace(PLAIN, vacation=1))
    start = world.clock.now()
    await ring_alarms_until(world, start + 70 * HOUR)
    await world.record_activity(NORTH)
    await ring_alarms_until(world, start + 72 * HOUR + MINUTE)
    return table


async def _open_table_between_deals(world: World) -> int:
    """Open a table that waits for its next deal, and return its number."""
    table = await _start_game(world)
    await world.finish_deal(table, Random(1))
    return table


async def _open_table_with_vote(world: World) -> int:
    """Open a table at which a vote about an absent player is open, and return its number."""
    table = (await start_clock_game(world, NORTH, EAST, SOUTH, settings=PLAIN)).id
    await ring_alarms_until(world, world.clock.now() + 72 * HOUR + MINUTE)
    return table


async def _open_table_with_seat_claim(world: World) -> int:
    """Open a table at which a stranger claims a computer player's seat, and return its number."""
    table = (await start_clock_game(world, NORTH, EAST, settings=PLAIN)).id
    await world.service.lobby.take_seat(world.caller(STRANGER), table, 2, joined_at=0)
    return table


async def _open_table_seeking_substitute(world: World) -> int:
    """Open a table that seeks a substitute; return its number."""
    table = await _start_game(world)
    await world.service.consent.propose(world.caller(NORTH), table, ProposalKind.SUBSTITUTE)
    await world.service.consent.answer_proposal(world.caller(EAST), table, agrees=True)
    return table


async def _open_table_with_proposal(world: World) -> int:
    """Open a table with a proposal to end the game; return its number."""
    table = await _start_game(world)
    await world.service.consent.propose(world.caller(NORTH), table, ProposalKind.END)
    return table


async def _open_lobby(world: World) -> int:
    lobby = world.service.lobby
    return (await lobby.create(world.caller(NORTH), channel=800, players=2, settings=PLAIN)).id


async def _open_table_with_roll_call(world: World) -> int:
    table = await _open_lobby(world)
    await world.service.lobby.join(world.caller(EAST), table)
    await ring_alarms_until(world, world.clock.now() + 25 * HOUR)
    await world.service.lobby.start(world.caller(NORTH), table)
    return table


async def _open_table_with_latest_end(world: World) -> int:
    return await _start_game(world, replace(PLAIN, latest_end=14))


async def _open_table_with_idle_limit(world: World) -> int:
    """Open a table with a limit for idle games; return its number."""
    return (await start_clock_game(world, NORTH, EAST, players=2, settings=TableSettings(idle=7))).id


async def _open_table_with_end_choice(world: World) -> int:
    """Open a table at which North is absent and East has no opponent; return its number."""
    table = await _start_game(world)
    await world.service.masters.hand_over(world.caller(STRANGER), table, seat=0, reason="asleep")
    return table


def _can_end_game(snapshot: TableSnapshot) -> bool:
    return snapshot.absence.unopposed is not None and snapshot.absence.unopposed.open_at is not None


def _is_absence_decided(snapshot: TableSnapshot) -> bool:
    return snapshot.vote is not None or snapshot.seats[0].kept_for is not None


WAITS: Final[Mapping[str, DeadlineCase]] = {
    "clock": DeadlineCase(_open_table_with_clock, _is_absence_decided, 30 * HOUR, 72 * HOUR),
    "day of vacation": DeadlineCase(_open_table_with_vacation_day, _is_absence_decided, 6 * HOUR, 24 * HOUR),
    "next deal": DeadlineCase(
        _open_table_between_deals,
        lambda snapshot: snapshot.view is not None and snapshot.view.deal == 2,
        10 * MINUTE,
        HOUR // 2,
    ),
    "vote": DeadlineCase(_open_table_with_vote, lambda look: look.vote is None, 6 * HOUR, DAY),
    "claim": DeadlineCase(_open_table_with_seat_claim, lambda look: not look.absence.claims, 6 * HOUR, DAY),
    "search": DeadlineCase(_open_table_seeking_substitute, lambda look: not look.sought, 6 * HOUR, 2 * DAY),
    "offer": DeadlineCase(_open_table_with_proposal, lambda look: look.proposal is None, 6 * HOUR, DAY),
    "lobby": DeadlineCase(_open_lobby, lambda look: look.status is Status.CLOSED, 3 * DAY, 7 * DAY, lobby=True),
    "roll call": DeadlineCase(_open_table_with_roll_call, lambda look: look.roll is None, 6 * HOUR, DAY, lobby=True),
    "latest end": DeadlineCase(_open_table_with_latest_end, lambda look: look.last_deal, 3 * DAY, 14 * DAY),
    "idle limit": DeadlineCase(
        _open_table_with_idle_limit, lambda look: look.status is Status.CLOSED, 3 * DAY, 7 * DAY
    ),
    "choice": DeadlineCase(_open_table_with_end_choice, _can_end_game, 30 * HOUR, 3 * DAY),
}
"""All deadlines that move but presence, which has no alarm."""


async def time_until_wait_ends(world: World, table: int, wait: DeadlineCase, start: int) -> int:
    """Let alarms ring until the wait is over; return the milliseconds from `start` to its end."""
    while not wait.is_over(await world.service.reading.snapshot(table)):
        due = await world.store.times.next_due_at()
        assert due is not None
        assert due < start + FOREVER
        await ring_alarms_until(world, max(due, world.clock.now()))
    return world.clock.now() - start


# --- ways to stop a table ---------------------------------------------------------------------------------------------


async def _pause_game(world: World, table: int) -> None:
    await world.service.masters.pause(world.caller(STRANGER), table, reason="storm")


async def _resume_game(world: World, table: int) -> None:
    await world.service.masters.resume(world.caller(STRANGER), table, reason="over")


async def _lose_channel(world: World, table: int) -> None:
    await world.service.places.record_lost_channel(table)


async def _restore_channel(world: World, table: int) -> None:
    await world.service.places.record_restored_place(table)


PAUSE: Final = "pause"
LOST: Final = "lost place"
OUTAGE: Final = "outage"
_DOES: Final = {PAUSE: (_pause_game, _resume_game), LOST: (_lose_channel, _restore_channel)}

KINDS: Final[Mapping[str, tuple[tuple[str, float, float], ...]]] = {
    PAUSE: ((PAUSE, 0, 1),),
    LOST: ((LOST, 0, 1),),
    OUTAGE: ((OUTAGE, 0, 1),),
    "pause and lost place": ((PAUSE, 0, 0.6), (LOST, 0.3, 1)),
    "lost place and pause": ((LOST, 0, 0.7), (PAUSE, 0.2, 1)),
    "pause and outage": ((PAUSE, 0, 1), (OUTAGE, 0.25, 0.75)),
    "lost place and outage": ((LOST, 0, 1), (OUTAGE, 0.25, 0.75)),
}
"""Ways to stop a table: causes with their start and end as fractions of the whole time."""


async def stop_table_for(world: World, table: int, kind: str, length: int) -> None:
    """Stop the table in this way for `length` milliseconds from now."""
    start = world.clock.now()
    steps = []
    for name, begins, ends in KINDS[kind]:
        steps += [(start + round(begins * length), 1, name, "begins"), (start + round(ends * length), 0, name, "ends")]
    away_since: int | None = None
    for instant, _, name, what in sorted(steps):
        if away_since is None:
            await ring_alarms_until(world, instant)
        else:  # no alarm rings while the bot is offline
            world.clock.advance(instant - world.clock.now())
        if name == OUTAGE:
            if away_since is not None:
                world.readiness._outages = merge_spans(world.readiness._outages, ((away_since, instant),))
            away_since = instant if what == "begins" else None
        else:
            await _DOES[name][what == "ends"](world, table)
