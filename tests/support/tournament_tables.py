"""Tables of a tournament, opened as the tournament service opens them."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bot.clocks.time_rules import PRESETS
from bot.engine.rules.sets import rule_set
from bot.tables.contest.directing import ContestOpening
from bot.tables.state.clocks import TableSettings
from bot.tables.state.contest import ContestBoard, ContestTable, Director
from bot.tables.state.requests import TableLocation
from bot.tables.state.shuffle import board_name, pack_for_name
from bot.tables.state.snapshots import SeatHolder, TableSnapshot
from tests.support.tables import CHANNEL, EAST, GUILD, NAMES, NORTH, SOUTH, WEST, World

VERA: Final = Director(50, "the evening is over")
SEED: Final = bytes(range(32))
SHARES: Final = ("11", "22", "33", "44")
HERE: Final = TableLocation(GUILD, CHANNEL, None)


def person_holder(person: int) -> SeatHolder:
    return SeatHolder("person", person, NAMES[person])


def match_opening(
    match: int = 1,
    *,
    seats: tuple[int, ...] = (NORTH, EAST, SOUTH, WEST),
    deals: int | None = 2,
    clock: str | None = None,
    **fields: object,
) -> ContestOpening:
    """Return the request that opens a table for a match of tournament 9."""
    place = replace(ContestTable(tournament=9, match=match), **fields)  # type: ignore[arg-type]
    terms = None if clock is None else PRESETS[clock]
    return ContestOpening(
        host=seats[0],
        seats=tuple(person_holder(one) for one in seats),
        rules=rule_set("classic", len(seats)),
        settings=TableSettings(clock=terms, deals=deals, vacation=0, extension=False, watching=False, undo=False),
        contest=place,
        shares=SHARES[: len(seats)],
    )


def board_opening(
    match: int, *, board_number: int = 1, seats: tuple[int, ...] = (NORTH, EAST, SOUTH, WEST)
) -> ContestOpening:
    """Return the request that opens a sealed table, at which a match of tournament 9 plays a board."""
    pack = pack_for_name(SEED, board_name(9, board_number), SHARES, decks=2, jokers_per_deck=2)
    wanted = match_opening(
        match, seats=seats, deals=1, board=ContestBoard(board_number, 90, board_number % len(seats)), sealed=True
    )
    return replace(wanted, pack=pack)


async def open_contest(world: World, match: int = 1, **wanted: object) -> TableSnapshot:
    """Open a table for a match of tournament 9, and return it."""
    return await world.service.contest.open_contest(HERE, match_opening(match, **wanted))  # type: ignore[arg-type]
