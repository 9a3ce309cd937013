"""Seats of computer players, and the people who may take them."""

from __future__ import annotations

from random import Random

from bot.clocks.time_rules import DAY, PRESETS
from bot.tables.absence.claims import DISCORD_BEGAN
from bot.tables.state.absence import ClaimKind
from bot.tables.state.clocks import TableSettings
from bot.tables.state.refusals import TableCode
from bot.tables.state.snapshots import Caller, TableSnapshot
from tests.support.ringing_alarms import ring_alarms_until
from tests.support.tables import CHANNEL, EAST, GUILD, NORTH, SOUTH, STRANGER, World, refusal_of

OLD = 400 * DAY
"""Long enough in the server to count as known."""


async def request_seat(
    world: World, table: int, seat: int, *, person: int = STRANGER, member_for: int | None = OLD
) -> TableSnapshot:
    """Request a seat for a person who has been a member of the server for `member_for`.

    Small person numbers are accounts of Discord's first day.
    """
    joined_at = None if member_for is None else world.clock.now() - member_for
    return await world.service.lobby.take_seat(world.caller(person), table, seat, joined_at=joined_at)


async def answer_claim(world: World, snapshot: TableSnapshot, seat: int, person: int, *, agrees: bool) -> TableSnapshot:
    """Answer the claim to a seat."""
    claim = snapshot.absence.claim(seat)
    assert claim is not None
    return await world.service.absence.answer_claim(
        world.caller(person), snapshot.id, seat, agrees=agrees, asked_at=claim.at
    )


async def test_if_all_agree_a_substitute_gets_the_hand_during_a_deal(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, SOUTH)).id
    snapshot = await request_seat(world, table, 3)
    claim = snapshot.absence.claim(3)
    assert claim is not None
    assert (ClaimKind.TAKE, STRANGER, False) == (claim.kind, claim.holder.person, claim.unknown)
    for person in (NORTH, EAST):
        snapshot = await answer_claim(world, snapshot, 3, person, agrees=True)
    assert "computer" == snapshot.seats[3].kind
    snapshot = await answer_claim(world, snapshot, 3, SOUTH, agrees=True)
    assert (STRANGER, "Stranger", ()) == (snapshot.seats[3].person, snapshot.seats[3].name, snapshot.absence.claims)
    seen = await world.service.reading.seat_snapshot(table, person=STRANGER, guild=GUILD)
    assert seen.view is not None
    assert 11 <= len(seen.view.hand)


async def test_one_no_during_a_deal_refuses_a_substitute(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, SOUTH)).id
    snapshot = await answer_claim(world, await request_seat(world, table, 3), 3, EAST, agrees=False)
    assert ("computer", ()) == (snapshot.seats[3].kind, snapshot.absence.claims)


async def test_silence_refuses_a_substitute(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, SOUTH)).id
    snapshot = await request_seat(world, table, 3)
    await answer_claim(world, snapshot, 3, NORTH, agrees=True)
    await ring_alarms_until(world, world.clock.now() + DAY)
    snapshot = await world.service.reading.snapshot(table)
    assert ("computer", ()) == (snapshot.seats[3].kind, snapshot.absence.claims)


async def test_between_deals_a_majority_accepts_a_substitute(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, SOUTH)).id
    await world.finish_deal(table, Random(3))
    snapshot = await request_seat(world, table, 3)
    snapshot = await answer_claim(world, snapshot, 3, NORTH, agrees=True)
    snapshot = await answer_claim(world, snapshot, 3, EAST, agrees=False)
    assert "computer" == snapshot.seats[3].kind
    snapshot = await answer_claim(world, snapshot, 3, SOUTH, agrees=True)
    assert STRANGER == snapshot.seats[3].person


async def test_among_spectator_former_player_and_newcomer_only_the_first_substitutes(world: World) -> None:
    """Acceptance 7 of `docs/long-games.md`. A newcomer needs everyone's consent even between deals."""
    table = (await world.start_game(NORTH, EAST, SOUTH)).id
    await world.service.places.set_spectator(await world.service.reading.snapshot(table), STRANGER, is_spectator=True)
    await world.service.lobby.leave(world.caller(SOUTH), table)
    snapshot = await world.service.reading.snapshot(table)
    sat = request_seat(world, table, 3, person=SOUTH)
    assert (TableCode.SEAT_IS_KEPT, {"table": table}) == await refusal_of(sat)

    snapshot = await request_seat(world, table, 3, member_for=3 * DAY)
    claim = snapshot.absence.claim(3)
    assert claim is not None
    assert claim.unknown
    snapshot = await answer_claim(world, snapshot, 3, NORTH, agrees=True)
    snapshot = await answer_claim(world, snapshot, 3, EAST, agrees=False)
    assert "computer" == snapshot.seats[3].kind

    snapshot = await request_seat(world, table, 3)
    snapshot = await answer_claim(world, snapshot, 3, NORTH, agrees=True)
    snapshot = await answer_claim(world, snapshot, 3, EAST, agrees=True)
    assert STRANGER == snapshot.seats[3].person


async def test_a_player_who_held_a_hand_in_the_deal_gets_no_second_hand_in_it(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, SOUTH)).id
    await world.service.lobby.leave(world.caller(SOUTH), table)
    snapshot = await request_seat(world, table, 2)
    snapshot = await answer_claim(world, snapshot, 2, NORTH, agrees=True)
    snapshot = await answer_claim(world, snapshot, 2, EAST, agrees=True)
    assert STRANGER == snapshot.seats[2].person, "the seat that was kept for South"
    again = request_seat(world, table, 3, person=SOUTH)
    assert (TableCode.HAD_A_HAND, {"table": table}) == await refusal_of(again)
    await world.finish_deal(table, Random(5))
    assert (await request_seat(world, table, 3, person=SOUTH)).absence.claim(3) is not None


async def test_the_owner_of_a_substituted_seat_does_not_get_it_back(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, SOUTH)).id
    await world.service.lobby.leave(world.caller(SOUTH), table)
    snapshot = await request_seat(world, table, 2)
    for person in (NORTH, EAST):
        snapshot = await answer_claim(world, snapshot, 2, person, agrees=True)
    expected = (TableCode.ALREADY_STARTED, {"table": table})
    assert expected == await refusal_of(world.service.lobby.join(world.caller(SOUTH), table))


async def test_new_accounts_need_everyones_consent(world: World) -> None:
    table = (await world.start_game(NORTH, EAST)).id
    born = world.clock.now() - 20 * DAY - DISCORD_BEGAN
    newcomer = Caller(born << 22, "New", GUILD, next(world.requests))
    snapshot = await world.service.lobby.take_seat(newcomer, table, 3, joined_at=world.clock.now() - OLD)
    claim = snapshot.absence.claim(3)
    assert claim is not None
    assert claim.unknown


async def test_a_game_without_people_is_resumed_only_by_a_known_person(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, players=2)).id
    await world.service.lobby.leave(world.caller(NORTH), table)
    await world.service.lobby.leave(world.caller(EAST), table)
    expected = (TableCode.TOO_NEW, {"member": 7, "account": 30})
    assert expected == await refusal_of(request_seat(world, table, 0, member_for=3 * DAY))
    assert expected == await refusal_of(request_seat(world, table, 0, member_for=None))
    snapshot = await request_seat(world, table, 0)
    assert (STRANGER, STRANGER, None) == (snapshot.seats[0].person, snapshot.host, snapshot.expires_at)


async def test_only_one_claim_to_a_seat_is_open_and_none_to_a_persons_seat(world: World) -> None:
    table = (await world.start_game(NORTH, EAST)).id
    await request_seat(world, table, 3)
    assert (TableCode.SEAT_CLAIMED, {"seat": 3}) == await refusal_of(request_seat(world, table, 3))
    assert (TableCode.SEAT_TAKEN, {"seat": 1}) == await refusal_of(request_seat(world, table, 1))
    held = request_seat(world, table, 2, person=EAST)
    assert (TableCode.ALREADY_SEATED, {"table": table, "seat": 1}) == await refusal_of(held)
    assert (TableCode.NO_SUCH_SEAT, {"seat": 7, "players": 4}) == await refusal_of(request_seat(world, table, 7))


async def test_the_claim_of_a_person_seated_meanwhile_ends(world: World) -> None:
    table = (await world.start_game(NORTH)).id
    first = await request_seat(world, table, 2)
    await request_seat(world, table, 3)
    snapshot = await answer_claim(world, first, 2, NORTH, agrees=True)
    assert (STRANGER, (), "computer") == (snapshot.seats[2].person, snapshot.absence.claims, snapshot.seats[3].kind)


async def test_a_substitute_in_a_game_with_a_clock_has_a_whole_bank(world: World) -> None:
    settings = TableSettings(clock=PRESETS["daily"], extension=False, vacation=0)
    snapshot = await world.service.lobby.create(world.caller(NORTH), channel=CHANNEL, settings=settings)
    await world.service.lobby.join(world.caller(EAST), snapshot.id)
    await world.service.lobby.start(world.caller(NORTH), snapshot.id, fill=True)
    table = snapshot.id
    await ring_alarms_until(world, world.clock.now() + 5 * DAY)
    snapshot = await world.service.reading.snapshot(table)
    assert ("computer", NORTH) == (snapshot.seats[0].kind, snapshot.seats[0].kept_for)
    snapshot = await answer_claim(world, await request_seat(world, table, 0), 0, EAST, agrees=True)
    assert STRANGER == snapshot.seats[0].person
    assert snapshot.clocks is not None
    assert (0, PRESETS["daily"].bank) == (snapshot.clocks.owes, snapshot.clocks.seats[0].bank)
