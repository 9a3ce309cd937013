"""Seats as the host of a lobby arranges them."""

from __future__ import annotations

from bot.tables.state.refusals import TableCode
from bot.tables.state.snapshots import TableSnapshot
from tests.support.tables import EAST, NORTH, SOUTH, World, refusal_of


def holders_by_seat(snapshot: TableSnapshot) -> list[str]:
    """Return each seat's player name or computer player's number, or a dash if it is free."""
    return [holder.name or (str(holder.number) if holder.number else "-") for holder in snapshot.seats]


async def test_the_host_moves_people_and_computer_players(world: World) -> None:
    lobby = await world.open_lobby(NORTH, EAST, computers=1)
    assert ["North", "1", "East", "-"] == holders_by_seat(lobby)
    swap = world.service.lobby.swap_seats
    assert ["East", "1", "North", "-"] == holders_by_seat(
        await swap(world.caller(NORTH), lobby.id, seat=0, other_seat=2)
    )
    assert ["East", "-", "North", "1"] == holders_by_seat(
        await swap(world.caller(NORTH), lobby.id, seat=1, other_seat=3)
    )
    assert ["1", "-", "North", "East"] == holders_by_seat(
        await swap(world.caller(NORTH), lobby.id, seat=3, other_seat=0)
    )
    assert ["1", "-", "North", "East"] == holders_by_seat(
        await swap(world.caller(NORTH), lobby.id, seat=2, other_seat=2)
    )


async def test_an_impossible_move_of_seats_is_refused(world: World) -> None:
    lobby = await world.open_lobby(NORTH, EAST)
    place = world.service.lobby.swap_seats
    not_host = (TableCode.NOT_HOST, {"table": lobby.id, "host": NORTH})
    assert not_host == await refusal_of(place(world.caller(EAST), lobby.id, seat=0, other_seat=1))
    empty = (TableCode.SEAT_EMPTY, {"seat": 3})
    assert empty == await refusal_of(place(world.caller(NORTH), lobby.id, seat=3, other_seat=0))
    missing = (TableCode.NO_SUCH_SEAT, {"seat": 4, "players": 4})
    assert missing == await refusal_of(place(world.caller(NORTH), lobby.id, seat=0, other_seat=4))
    await world.service.lobby.join(world.caller(SOUTH), lobby.id)
    stale = place(world.caller(NORTH), lobby.id, seat=0, other_seat=1, expected_version=lobby.version)
    assert TableCode.STALE_REQUEST is (await refusal_of(stale))[0]
    game = await world.service.lobby.start(world.caller(NORTH), lobby.id, fill=True)
    started = (TableCode.ALREADY_STARTED, {"table": game.id})
    assert started == await refusal_of(place(world.caller(NORTH), game.id, seat=0, other_seat=1))
    assert started == await refusal_of(world.service.lobby.set_computers(world.caller(NORTH), game.id, 0))


async def test_shuffle_words_and_news_of_the_rules_move_with_their_player(world: World) -> None:
    lobby = await world.open_lobby(NORTH, EAST)
    await world.service.rules.change_rules(world.caller(NORTH), lobby.id, {"out_bonus": 200})
    record = (await world.service._context.repository.get(lobby.id)).record
    moved = await world.service.lobby.swap_seats(world.caller(NORTH), lobby.id, seat=0, other_seat=1)
    after = (await world.service._context.repository.get(lobby.id)).record
    assert record.contributions[:2] == after.contributions[1::-1]
    assert moved.joined_terms != moved.terms


async def test_the_host_sets_the_number_of_computer_players(world: World) -> None:
    lobby = await world.open_lobby(NORTH, EAST)
    few = world.service.lobby.set_computers
    assert ["North", "East", "1", "2"] == holders_by_seat(await few(world.caller(NORTH), lobby.id, 2))
    assert ["North", "East", "1", "2"] == holders_by_seat(await few(world.caller(NORTH), lobby.id, 2))
    assert ["North", "East", "1", "-"] == holders_by_seat(await few(world.caller(NORTH), lobby.id, 1))
    assert ["North", "East", "-", "-"] == holders_by_seat(await few(world.caller(NORTH), lobby.id, 0))
    detail = {"computers": 3, "lowest": 0, "highest": 2}
    assert (TableCode.COMPUTERS_OUT_OF_RANGE, detail) == await refusal_of(few(world.caller(NORTH), lobby.id, 3))
    not_host = (TableCode.NOT_HOST, {"table": lobby.id, "host": NORTH})
    assert not_host == await refusal_of(few(world.caller(EAST), lobby.id, 1))
