"""Refusals of the table service that no other test of tables causes."""

from __future__ import annotations

from random import Random

from bot.engine.rules.themes.conditions import KINDS, Condition
from bot.engine.rules.themes.own_themes import MOST_CONDITIONS
from bot.tables.state.refusals import TableCode
from tests.support.tables import GUILD, NORTH, STRANGER, World, refusal_of
from tests.support.tournament_tables import HERE, board_opening


async def test_a_hosts_own_theme_condition_without_a_required_part_is_refused(world: World) -> None:
    lobby = await world.open_lobby(NORTH)
    nameless = world.service.rules.add_condition(world.caller(NORTH), lobby.id, Condition("no_meld"), by_deal=False)
    assert (TableCode.CONDITION_INCOMPLETE, {}) == await refusal_of(nameless)
    assert await world.service.reading.snapshot(lobby.id) == lobby


async def test_the_number_of_a_hosts_own_theme_conditions_is_limited(world: World) -> None:
    lobby = await world.open_lobby(NORTH)
    conditions = [
        Condition("no_discard", (rank,), until="turn", number=turn) for rank in tuple(KINDS)[:7] for turn in (2, 3)
    ]
    for condition in conditions[:MOST_CONDITIONS]:
        await world.service.rules.add_condition(world.caller(NORTH), lobby.id, condition, by_deal=False)
    before = await world.service.reading.snapshot(lobby.id)
    further = world.service.rules.add_condition(
        world.caller(NORTH), lobby.id, conditions[MOST_CONDITIONS], by_deal=False
    )
    expected = {"conditions": MOST_CONDITIONS + 1, "most": MOST_CONDITIONS}
    assert (TableCode.TOO_MANY_CONDITIONS, expected) == await refusal_of(further)
    assert await world.service.reading.snapshot(lobby.id) == before


async def test_a_deal_that_was_not_dealt_has_no_log(world: World) -> None:
    table = (await world.start_game(NORTH)).id
    await world.play_deal(table, Random(4))
    asked = world.service.past.deal_log(table, 9, person=STRANGER, guild=GUILD)
    assert (TableCode.NO_SUCH_DEAL, {"table": table, "deal": 9}) == await refusal_of(asked)


async def test_a_board_is_not_shuffled_by_players(world: World) -> None:
    table = (await world.service.contest.open_contest(HERE, board_opening(1))).id
    asked = world.service.play.give_shuffle_word(world.caller(NORTH), table, "blue")
    assert (TableCode.NO_DEAL_TO_COME, {"table": table}) == await refusal_of(asked)
