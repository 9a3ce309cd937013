"""A deleted person appears nowhere in the file, and every table is unchanged except for the name."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from bot.ratings.rating_rules import Ladder, MatchId, RatedMatch, SeatPlayed, SidePlayed
from bot.ratings.service import RatingService
from bot.store.messages import MessageRow
from bot.store.notices import NoticeRow
from bot.store.people.personal_data import IMPERSONAL, PERSONAL
from bot.store.store import open_store
from bot.tables.open_seats import OpenSeatsRow
from bot.tables.state.fold import apply_table_events
from bot.tables.state.shuffle import commitment
from bot.tables.state.snapshots import Caller, SeatHolder, Status
from bot.tables.state.table import TableState
from bot.tournaments.service import TournamentService
from tests.support.database_search import columns_containing, files_containing, tables_of
from tests.support.stored_table_data import events_of, record_of
from tests.support.tables import EAST, GUILD, NORTH, SOUTH, World, open_world, refusal_of
from tests.support.tournaments import usual_plan

ZOE, LEO = 710_000_000_000_000_001, 710_000_000_000_000_002
ZOE_CALLED = ("Zoe Quist", "Zoe at home", "zoe.quist.1988")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "canasta.db"


def zoe_as_caller(world: World, name: str = ZOE_CALLED[0]) -> Caller:
    return replace(world.caller(NORTH), person=ZOE, name=name, account=ZOE_CALLED[-1])


async def play_game_of_zoe(world: World) -> int:
    """Play a game that Zoe leaves and rejoins under another name; return its number."""
    world.names[ZOE] = ZOE_CALLED[0]
    random = Random(3)
    table = (await world.service.lobby.create(zoe_as_caller(world), channel=800, players=2, target=100)).id
    await world.service.lobby.join(world.caller(EAST), table)
    await world.service.play.give_shuffle_word(zoe_as_caller(world), table, "sea breeze")
    await world.service.lobby.start(zoe_as_caller(world), table)
    for _ in range(9):
        await world.take_random_step(table, random)
    await world.service.lobby.close(zoe_as_caller(world), table)
    await world.service.lobby.leave(zoe_as_caller(world), table)
    snapshot = await world.service.lobby.join(zoe_as_caller(world, ZOE_CALLED[1]), table)
    (claim,) = snapshot.absence.claims
    await world.service.absence.answer_claim(world.caller(EAST), table, 0, agrees=True, asked_at=claim.at)
    await world.finish_game(table, random)
    return table


def rated_match(table: int) -> RatedMatch:
    """Return a rated match between Zoe and East."""
    sides = tuple(SidePlayed((SeatPlayed(((person, 1),)),), person % 7) for person in (ZOE, EAST))
    return RatedMatch(id=MatchId(0, table), at=5, ladder=Ladder("classic", 2), guild=GUILD, sides=sides)


def without_person(record: TableState, person: int) -> TableState:
    """Return the record with that person and all former players replaced by one unknown person."""
    changed = SeatHolder("person", -1)
    seats = tuple(changed if holder.is_former or holder.person == person else holder for holder in record.seats)
    sat = tuple(
        replace(one, holder=changed) if one.holder.is_former or one.holder.person == person else one
        for one in record.sat
    )
    proposed = tuple(
        replace(one, person=-1) if one.person < 0 or one.person == person else one for one in record.proposed
    )
    seen = tuple(-1 if one < 0 or one == person else one for one in record.absence.seen)
    absence = replace(record.absence, seen=seen)
    host = -1 if record.host < 0 or record.host == person else record.host
    return replace(record, seats=seats, sat=sat, proposed=proposed, absence=absence, host=host)


async def test_no_column_of_the_file_has_id_name_or_account_of_a_deleted_person(path: Path) -> None:
    async with open_world(path) as world:
        table = await play_game_of_zoe(world)
        running = (await world.start_game(EAST, SOUTH)).id
        with closing(sqlite3.connect(path)) as connection:
            assert {one.table for one in PERSONAL} | IMPERSONAL == set(tables_of(connection))
            connection.execute("INSERT INTO lapses VALUES (?, ?, 1)", (ZOE, table))
            connection.execute("INSERT INTO archive_people VALUES (?, 1, ?)", (table, ZOE))
            connection.execute("INSERT INTO series_people VALUES (1, 1, ?, ?)", (ZOE, ZOE_CALLED[0]))
            letter = (
                "INSERT INTO outbox (kind, key, person_id, args, made_at, due_at) VALUES ('letter', '1', ?, '{}', 1, 1)"
            )
            connection.execute(letter, (ZOE,))
            connection.execute("INSERT INTO ratings VALUES ('classic', 4, 1, ?, 25.0, 8.0, 1, 1)", (ZOE,))
            connection.commit()
        lobby = await world.service.lobby.create(zoe_as_caller(world), channel=800)
        await world.service.rules.save_rules(zoe_as_caller(world), lobby.id, "Ours")
        await world.service.open_seats.store_posted_list(OpenSeatsRow(GUILD, ZOE, 800))
        await world.store.preferences.set("person", ZOE, {"theme": "light"})
        await world.personal.set_automatic_vacation(ZOE, automatic=False)
        await world.store.messages.set_message(MessageRow(table, 800, 55, 3, 1000, f"1.3:{ZOE},{EAST}"))
        await world.service.places.set_spectator(await world.service.reading.snapshot(running), ZOE, is_spectator=True)
        await world.service.masters.pause(zoe_as_caller(world), running, reason="a storm")
        await world.store.players.block(ZOE, SOUTH, 1)
        await world.store.notices.set_notice(NoticeRow(table, ZOE, "1.4", "half", None, None, 1))
        await world.store.notices.set_contact_times(ZOE, "{}")
        await world.store.premoves.set_premoves(table, ZOE, "{}")
        await world.store.lessons.note_lesson(ZOE, "seats", 1)
        await world.store.rooms.set_channel(ZOE, 900, 1)
        await world.store.players.block(EAST, ZOE, 1)
        await RatingService(world.store.ratings, world.clock).rate_match(rated_match(table))
        await world.service.people.export(zoe_as_caller(world))
        events = TournamentService(world.store, world.clock, world.service, away=world.readiness.outages)
        await events.entering.create(zoe_as_caller(world), channel=800, plan=usual_plan())
        before = await record_of(world.store, table)
        found = columns_containing(path, str(ZOE), *ZOE_CALLED)
        assert {one.table for one in PERSONAL} == {place.partition(".")[0] for place in found}

        await world.service.people.forget(zoe_as_caller(world))
        assert {"blocks.blocked_id"} == columns_containing(path, str(ZOE), *ZOE_CALLED), (
            "whom East would not have, East says"
        )
        after = await record_of(world.store, table)
        assert after == apply_table_events(None, await events_of(world.store, table))
        assert without_person(before, ZOE) == without_person(after, ZOE)
        assert after.seats[0].is_former
        assert Status.CLOSED is (await world.service.reading.snapshot(lobby.id)).status
        assert ("", "") == (after.seats[0].name, after.seats[0].account)
        assert f"1.3:0,{EAST}" == getattr(await world.store.messages.load(table), "told", "")
        assert (EAST, SOUTH) == (await world.service.reading.snapshot(running)).persons


async def test_while_the_bot_runs_no_file_holds_id_name_or_account_of_a_deleted_person(path: Path) -> None:
    """Acceptance 8: neither the file nor its log contains them, whatever is written later."""
    async with open_world(path) as world:
        tables = [await play_game_of_zoe(world) for _ in range(3)]
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA wal_checkpoint")
        running = (await world.start_game(EAST, SOUTH)).id
        lobby = await world.service.lobby.create(zoe_as_caller(world), channel=800)
        await world.service.rules.save_rules(zoe_as_caller(world), lobby.id, "Ours")
        await world.store.preferences.set("person", ZOE, {"theme": "light"})
        await world.personal.set_automatic_vacation(ZOE, automatic=False)
        await world.service.places.set_spectator(await world.service.reading.snapshot(running), ZOE, is_spectator=True)
        await world.store.players.block(ZOE, SOUTH, 1)
        await world.store.notices.set_notice(NoticeRow(tables[0], ZOE, "1.4", "half", None, None, 1))
        await RatingService(world.store.ratings, world.clock).rate_match(rated_match(tables[0]))
        events = TournamentService(world.store, world.clock, world.service, away=world.readiness.outages)
        await events.entering.create(zoe_as_caller(world), channel=800, plan=usual_plan())
        assert {path.name, f"{path.name}-wal"} == files_containing(path, ZOE, *ZOE_CALLED)
        await world.service.people.forget(zoe_as_caller(world))
        assert set() == files_containing(path, ZOE, *ZOE_CALLED)
        await world.take_random_step(running, Random(1))
        await world.service.people.forget(world.caller(SOUTH))
        assert set() == files_containing(path, ZOE, *ZOE_CALLED)


async def test_after_a_deletion_shuffles_can_still_be_checked_with_the_persons_words(path: Path) -> None:
    async with open_world(path) as world:
        table = await play_game_of_zoe(world)
        before = (await world.service.reading.snapshot(table)).shuffle
        await world.service.people.forget(zoe_as_caller(world))
        after = (await world.service.reading.snapshot(table)).shuffle
        assert before == after
        assert "sea breeze" in str(after[0].contributions)
        for shuffle in after:
            if shuffle.seed is not None:
                assert shuffle.commitment == commitment(bytes.fromhex(shuffle.seed), table, shuffle.deal)


async def test_nothing_links_a_former_player_with_another_game(path: Path) -> None:
    async with open_world(path) as world:
        tables = [await play_game_of_zoe(world) for _ in range(2)]
        await world.service.people.forget(zoe_as_caller(world))
        numbers = []
        for table in tables:
            record = await record_of(world.store, table)
            number = record.seats[0].person
            assert {number} == {one.holder.person for one in record.sat if not one.seat} - {None}
            assert {number} == {row.person for row in await world.store.tables.actions(table)} - {None, EAST}
            numbers.append(number)
        assert numbers[0] != numbers[1]


async def test_a_computer_player_takes_the_seat_of_a_forgotten_person_for_good(path: Path) -> None:
    async with open_world(path) as world:
        world.names[ZOE] = ZOE_CALLED[0]
        table = (await world.service.lobby.create(zoe_as_caller(world), channel=800, players=4)).id
        await world.service.lobby.join(world.caller(EAST), table)
        await world.service.lobby.start(zoe_as_caller(world), table, fill=True)
        random = Random(1)
        for _ in range(5):
            await world.take_random_step(table, random)
        await world.service.people.forget(zoe_as_caller(world))
        snapshot = await world.service.reading.snapshot(table)
        assert ("computer", None, "") == (
            snapshot.seats[0].kind,
            snapshot.seats[0].kept_for,
            snapshot.seats[0].kept_name,
        )
        assert EAST == snapshot.host
        await world.play_deal(table, random)
        assert await record_of(world.store, table) == apply_table_events(None, await events_of(world.store, table))
        assert set() == columns_containing(path, str(ZOE), *ZOE_CALLED)


async def test_a_kept_seat_of_a_deleted_person_is_released(path: Path) -> None:
    async with open_world(path) as world:
        world.names[ZOE] = ZOE_CALLED[0]
        table = (await world.start_game(EAST, ZOE)).id
        await world.service.lobby.leave(zoe_as_caller(world), table)
        await world.service.people.forget(zoe_as_caller(world))
        assert SeatHolder("computer", number=3) == (await world.service.reading.snapshot(table)).seats[1]
        await refusal_of(world.service.lobby.join(zoe_as_caller(world), table))
        assert set() == columns_containing(path, str(ZOE), *ZOE_CALLED)


async def test_a_forgotten_person_who_returns_counts_as_a_new_one(path: Path) -> None:
    async with open_world(path) as world:
        table = await play_game_of_zoe(world)
        await world.service.people.forget(zoe_as_caller(world))
        lobby = (await world.service.lobby.rematch(world.caller(EAST), table)).id
        assert (EAST,) == (await world.service.reading.snapshot(lobby)).persons
        snapshot = await world.service.lobby.join(zoe_as_caller(world), lobby)
        assert {EAST, ZOE} == set(snapshot.persons)
        assert (await world.service.reading.snapshot(table)).seats[0].is_former


async def test_cached_data_of_the_person_is_deleted_too(path: Path) -> None:
    told: list[int] = []
    async with open_world(path) as world:

        async def note(person: int) -> None:
            told.append(person)

        world.service.people.subscribe_after_deletion(note)
        await play_game_of_zoe(world)
        await world.service.people.forget(zoe_as_caller(world))
    assert [ZOE] == told


async def test_an_unreadable_table_does_not_block_the_deletion_of_a_person(path: Path) -> None:
    async with open_world(path) as world:
        world.names[ZOE] = ZOE_CALLED[0]
        table = (await world.start_game(EAST, ZOE)).id
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE tables SET snapshot = substr(snapshot, 1, 99) WHERE id = ?", (table,))
        connection.commit()
    async with open_world(path, first_request=6_000_000) as world:
        await world.service.people.forget(zoe_as_caller(world))
    assert set() == columns_containing(path, str(ZOE), *ZOE_CALLED)


async def test_a_deletion_survives_a_restart(path: Path) -> None:
    async with open_world(path) as world:
        table = await play_game_of_zoe(world)
        await world.service.people.forget(zoe_as_caller(world))
    async with open_store(path) as store:
        assert (await record_of(store, table)).seats[0].is_former
    async with open_world(path, first_request=6_000_000) as world:
        assert GUILD == (await world.service.reading.snapshot(table)).guild
        await world.service.people.forget(zoe_as_caller(world))
        assert await record_of(world.store, table) == apply_table_events(None, await events_of(world.store, table))
