"""Closing tables: a lobby by its host, a game by a moderator or if all seated people agree."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.time_rules import PRESETS
from bot.tables.state.clocks import Conclusion, TableSettings
from bot.tables.state.fold import apply_table_events
from bot.tables.state.proposals import Proposal, ProposalKind
from bot.tables.state.refusals import TableCode
from bot.tables.state.snapshots import ClosingReason, Status
from tests.support.stored_table_data import events_of, record_of
from tests.support.tables import EAST, NORTH, SOUTH, STRANGER, World, open_world, refusal_of


async def test_the_host_closes_a_lobby_at_once(world: World) -> None:
    lobby = await world.open_lobby(NORTH, EAST)
    snapshot = await world.service.lobby.close(world.caller(NORTH), lobby.id)
    assert (Status.CLOSED, ClosingReason.ASKED) == (snapshot.status, snapshot.closed_because)
    expected = (TableCode.TABLE_CLOSED, {"table": lobby.id})
    assert expected == await refusal_of(world.service.lobby.join(world.caller(SOUTH), lobby.id))
    assert expected == await refusal_of(world.service.lobby.leave(world.caller(NORTH), lobby.id))
    assert expected == await refusal_of(world.service.lobby.close(world.caller(NORTH), lobby.id))


async def test_a_moderator_closes_a_lobby_at_once_and_others_do_not(world: World) -> None:
    lobby = await world.open_lobby(NORTH, EAST)
    not_host = (TableCode.NOT_HOST, {"table": lobby.id, "host": NORTH})
    assert not_host == await refusal_of(world.service.lobby.close(world.caller(EAST), lobby.id))
    snapshot = await world.service.lobby.close(world.caller(STRANGER), lobby.id, moderator=True)
    assert Status.CLOSED is snapshot.status


async def test_a_game_ends_when_all_seated_people_agree(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, SOUTH)).id
    asked = await world.service.lobby.close(world.caller(EAST), table)
    assert Status.PLAYING is asked.status
    assert Proposal(ProposalKind.END, EAST, world.clock.now(), (EAST,)) == asked.proposal
    assert (NORTH, SOUTH) == asked.unanswered_people
    half = await world.service.consent.answer_proposal(world.caller(NORTH), table, agrees=True)
    assert (SOUTH,) == half.unanswered_people
    snapshot = await world.service.lobby.close(world.caller(SOUTH), table)
    assert (Status.FINISHED, Conclusion("agreed", None, (0, 0))) == (snapshot.status, snapshot.conclusion)
    assert (None, None, ()) == (snapshot.proposal, snapshot.proposal_until, snapshot.unanswered_people)
    assert snapshot.view is not None
    assert () == snapshot.view.results
    assert await world.store.times.next_due_at() is None


async def test_one_no_or_a_withdrawal_ends_the_question(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, SOUTH)).id
    for says_no in (SOUTH, NORTH):
        await world.service.lobby.close(world.caller(NORTH), table)
        await world.service.consent.answer_proposal(world.caller(EAST), table, agrees=True)
        snapshot = await world.service.consent.answer_proposal(world.caller(says_no), table, agrees=False)
        assert (Status.PLAYING, None) == (snapshot.status, snapshot.proposal)


async def test_a_move_does_not_answer_the_question(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, players=2)).id
    asked = await world.service.lobby.close(world.caller(NORTH), table)
    for _ in range(6):
        await world.take_random_step(table, Random(1))
    snapshot = await world.service.reading.snapshot(table)
    assert snapshot.version > asked.version
    assert asked.proposal == snapshot.proposal


async def test_a_lone_player_ends_the_game(world: World) -> None:
    table = (await world.start_game(NORTH)).id
    snapshot = await world.service.lobby.close(world.caller(NORTH), table)
    assert (Status.FINISHED, Conclusion("agreed", None, (0, 0))) == (snapshot.status, snapshot.conclusion)


async def test_an_answer_to_an_earlier_question_is_refused(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, SOUTH)).id
    stale = TableCode.STALE_REQUEST
    answer = world.service.consent.answer_proposal
    assert stale is (await refusal_of(answer(world.caller(NORTH), table, agrees=True)))[0]
    first = (await world.service.lobby.close(world.caller(NORTH), table)).proposal
    assert first is not None
    await answer(world.caller(SOUTH), table, agrees=False, asked_at=first.at)
    world.clock.advance(MINUTE)
    second = (await world.service.lobby.close(world.caller(NORTH), table)).proposal
    assert second is not None
    assert stale is (await refusal_of(answer(world.caller(EAST), table, agrees=True, asked_at=first.at)))[0]
    assert stale is (await refusal_of(answer(world.caller(EAST), table, agrees=False, asked_at=first.at)))[0]
    snapshot = await answer(world.caller(EAST), table, agrees=True, asked_at=second.at)
    assert (SOUTH,) == snapshot.unanswered_people


async def test_a_second_answer_or_one_without_a_seat_is_refused(world: World) -> None:
    table = (await world.start_game(NORTH, EAST)).id
    await world.service.lobby.close(world.caller(NORTH), table)
    agreed, outside = (TableCode.ALREADY_AGREED, {"table": table}), (TableCode.NOT_SEATED, {"table": table})
    assert agreed == await refusal_of(world.service.lobby.close(world.caller(NORTH), table))
    assert agreed == await refusal_of(world.service.consent.answer_proposal(world.caller(NORTH), table, agrees=True))
    assert outside == await refusal_of(
        world.service.consent.answer_proposal(world.caller(STRANGER), table, agrees=True)
    )
    assert outside == await refusal_of(
        world.service.consent.answer_proposal(world.caller(STRANGER), table, agrees=False)
    )
    assert outside == await refusal_of(world.service.lobby.close(world.caller(STRANGER), table))


async def test_two_people_who_agree_at_the_same_moment_end_the_game_once(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, SOUTH)).id
    await world.service.lobby.close(world.caller(NORTH), table)
    answers = [
        world.service.consent.answer_proposal(world.caller(one), table, agrees=True) for one in (EAST, SOUTH, EAST)
    ]
    came = await asyncio.gather(*answers, return_exceptions=True)
    assert 1 == sum(isinstance(one, Exception) for one in came)
    assert Status.FINISHED is (await world.service.reading.snapshot(table)).status


async def test_a_player_who_leaves_is_no_longer_asked(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, SOUTH)).id
    await world.service.lobby.close(world.caller(NORTH), table)
    await world.service.consent.answer_proposal(world.caller(EAST), table, agrees=True)
    left = await world.service.lobby.leave(world.caller(SOUTH), table)
    assert (Status.FINISHED, Conclusion("agreed", None, (0, 0))) == (left.status, left.conclusion)


async def test_the_question_ends_when_its_asker_leaves(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, SOUTH)).id
    await world.service.lobby.close(world.caller(NORTH), table)
    await world.service.consent.answer_proposal(world.caller(EAST), table, agrees=True)
    snapshot = await world.service.lobby.leave(world.caller(NORTH), table)
    assert (Status.PLAYING, None) == (snapshot.status, snapshot.proposal)


async def test_a_player_who_returns_is_asked_too(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, SOUTH)).id
    await world.service.lobby.leave(world.caller(SOUTH), table)
    await world.service.lobby.close(world.caller(NORTH), table)
    back = await world.give_seat_back(SOUTH, table)
    assert (EAST, SOUTH) == back.unanswered_people
    snapshot = await world.service.consent.answer_proposal(world.caller(EAST), table, agrees=True)
    assert (Status.PLAYING, (SOUTH,)) == (snapshot.status, snapshot.unanswered_people)


async def test_a_moderator_closes_a_game_after_a_day_of_silence(world: World) -> None:
    snapshot = await world.start_game(NORTH, EAST)
    close = world.service.lobby.close
    world.clock.advance(23 * HOUR)
    expected = (TableCode.NOT_SILENT, {"table": snapshot.id, "from": snapshot.updated_at + 24 * HOUR})
    assert expected == await refusal_of(close(world.caller(STRANGER), snapshot.id, moderator=True))
    world.clock.advance(HOUR)
    assert (TableCode.NOT_SEATED, {"table": snapshot.id}) == await refusal_of(
        close(world.caller(STRANGER), snapshot.id)
    )
    closed = await close(world.caller(STRANGER), snapshot.id, moderator=True)
    assert (Status.CLOSED, ClosingReason.ASKED) == (closed.status, closed.closed_because)


async def test_a_moderator_cannot_close_a_game_while_a_slow_turn_has_time_left(world: World) -> None:
    settings = TableSettings(clock=PRESETS["daily"])
    opened = await world.service.lobby.create(world.caller(NORTH), channel=800, players=2, settings=settings)
    await world.service.lobby.join(world.caller(EAST), opened.id)
    snapshot = await world.service.lobby.start(world.caller(NORTH), opened.id)
    assert snapshot.clocks is not None
    world.clock.advance(30 * HOUR)
    expected = (TableCode.NOT_SILENT, {"table": snapshot.id, "from": snapshot.clocks.until})
    assert expected == await refusal_of(world.service.lobby.close(world.caller(STRANGER), snapshot.id, moderator=True))


async def test_a_moderator_at_the_table_needs_consent_like_others(world: World) -> None:
    table = (await world.start_game(NORTH, EAST)).id
    snapshot = await world.service.lobby.close(world.caller(EAST), table, moderator=True)
    assert (Status.PLAYING, (NORTH,)) == (snapshot.status, snapshot.unanswered_people)


async def test_a_question_survives_a_restart_and_ends_with_the_game(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    async with open_world(path) as world:
        table = (await world.start_game(NORTH, EAST, players=2, target=100)).id
        asked = await world.service.lobby.close(world.caller(NORTH), table)
    async with open_world(path, clock=world.clock, first_request=6_000_000) as world:
        assert asked == await world.service.reading.snapshot(table)
        snapshot = await world.finish_game(table, Random(3))
        assert (Status.FINISHED, None) == (snapshot.status, snapshot.proposal)
        assert await record_of(world.store, table) == apply_table_events(None, await events_of(world.store, table))


@pytest.mark.parametrize("clicked", [False, True])
async def test_a_lobby_is_closed_by_a_click_on_its_current_version(world: World, *, clicked: bool) -> None:
    lobby = await world.open_lobby(NORTH)
    seen = lobby.version if clicked else None
    assert (
        Status.CLOSED is (await world.service.lobby.close(world.caller(NORTH), lobby.id, expected_version=seen)).status
    )


async def test_a_click_on_a_version_that_a_restored_backup_lacks_is_stale(world: World) -> None:
    lobby = await world.open_lobby(NORTH)
    close = world.service.lobby.close(world.caller(NORTH), lobby.id, expected_version=lobby.version + 1)
    assert TableCode.STALE_REQUEST is (await refusal_of(close))[0]
    assert lobby == await world.service.reading.snapshot(lobby.id)
