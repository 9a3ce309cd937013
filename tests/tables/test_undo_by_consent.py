"""Undo by consent, for moves that have shown hidden cards: all others must agree.

The next action ends the question.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.time_rules import PRESETS
from bot.engine.cards.cards import FOUR
from bot.engine.cards.notation import parse_cards
from bot.engine.moves.actions import DRAW, Discard, Lay, LayMelds
from bot.engine.moves.phases import Phase
from bot.engine.rules.sets import rule_set
from bot.engine.table.state import State
from bot.tables.state.clocks import TableSettings
from bot.tables.state.events import Deadline, SettingsChosen, Undone
from bot.tables.state.fold import apply_table_events
from bot.tables.state.proposals import ProposalKind
from bot.tables.state.refusals import TableCode
from bot.tables.state.requests import Decision, TableRequest
from bot.tables.state.table import Table, TableState
from tests.support import stored_table_data
from tests.support.stacked_dealer import StackedDealer
from tests.support.stacked_packs import stack_pack
from tests.support.tables import EAST, NORTH, STRANGER, World, open_world, refusal_of

HANDS = {0: "Ks Kh Kd Qs Qh Qd 9s 9h 9d 9c 4s 5h 6h 7s Jc", 1: "Tc"}
LAYING = LayMelds((Lay(parse_cards("Ks Kh Kd")), Lay(parse_cards("Qs Qh Qd"))))


PACK = stack_pack(rule_set("classic", 2), HANDS, "Td Th Ts 8d 8c 7d 6c", dealer=1)


@pytest.fixture
def stacked_pack(world: World) -> None:
    world.dealer.pack = PACK


async def table_state(world: World, table: int) -> TableState:
    return (await world.service._context.repository.get(table)).record


async def state_of(world: World, table: int) -> State:
    game = (await table_state(world, table)).game
    assert game is not None
    return game


async def store_settings(world: World, table: int, settings: TableSettings) -> None:
    async def decide(_: Table) -> Decision:
        return Decision((SettingsChosen(settings),))

    await world.service._context.repository.change(table, TableRequest("test", {}), decide)


async def begin_game(world: World) -> int:
    return (await world.start_game(NORTH, EAST, players=2)).id


async def undo_by_consent(world: World, table: int, person: int, agreeing_person: int) -> None:
    await world.service.consent.propose(world.caller(person), table, ProposalKind.UNDO)
    await world.service.consent.answer_proposal(world.caller(agreeing_person), table, agrees=True)


@pytest.mark.usefixtures("stacked_pack")
async def test_a_draw_is_taken_back_with_all_that_was_laid_after_it(world: World) -> None:
    table = await begin_game(world)
    before = await table_state(world, table)
    await world.service.play.act(world.caller(NORTH), table, DRAW)
    await world.service.play.act(world.caller(NORTH), table, LAYING)
    await undo_by_consent(world, table, NORTH, EAST)
    after = await table_state(world, table)
    assert (before.game, before.recent, before.drawn) == (after.game, after.recent, after.drawn)
    assert after.proposal is None
    outcome = await world.service.play.act(world.caller(NORTH), table, DRAW)
    assert outcome.snapshot.view is not None
    assert Phase.PLAY is outcome.snapshot.view.table.phase


async def test_a_discard_is_taken_back_and_what_was_laid_before_it_stays(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    async with open_world(path, dealer=StackedDealer(PACK)) as world:
        table = await begin_game(world)
        await world.service.play.act(world.caller(NORTH), table, DRAW)
        await world.service.play.act(world.caller(NORTH), table, LAYING)
        before = await state_of(world, table)
        await world.service.play.act(world.caller(NORTH), table, Discard(FOUR))
        await world.service.consent.propose(world.caller(NORTH), table, ProposalKind.UNDO)
    async with open_world(path, clock=world.clock, first_request=6_000_000) as restarted:
        await restarted.service.consent.answer_proposal(restarted.caller(EAST), table, agrees=True)
        assert before == await state_of(restarted, table)
        await restarted.service.play.undo(restarted.caller(NORTH), table)
        assert () == (await state_of(restarted, table)).melds[0]


async def test_undos_follow_one_another_and_the_log_folds_into_the_table(world: World) -> None:
    random, table = Random(4), await begin_game(world)
    for _ in range(12):
        await world.take_random_step(table, random)
    for _ in range(3):
        snapshot, seat, _ = await world.current_turn(table)
        person = snapshot.seats[seat].person
        assert person is not None
        if snapshot.view is not None and snapshot.view.phase is Phase.DRAW:
            await world.service.play.act(world.caller(person), table, DRAW)
        before = await state_of(world, table)
        await undo_by_consent(world, table, person, EAST if person == NORTH else NORTH)
        assert before != await state_of(world, table)
        for _ in range(5):
            await world.take_random_step(table, random)
    log = await stored_table_data.events_of(world.store, table)
    assert 3 == sum(isinstance(event, Undone) for event in log)
    assert await stored_table_data.record_of(world.store, table) == apply_table_events(None, log)


async def test_a_move_of_the_next_seat_ends_the_question(world: World) -> None:
    random, table = Random(4), await begin_game(world)
    await world.service.play.act(world.caller(NORTH), table, DRAW)
    while (await world.current_turn(table))[1] == 0:
        await world.take_random_step(table, random)
    snapshot = await world.service.consent.propose(world.caller(NORTH), table, ProposalKind.UNDO)
    assert (await table_state(world, table)).is_undo_open
    assert snapshot.proposal_until == world.clock.now() + HOUR
    await world.service.play.act(world.caller(EAST), table, DRAW)
    snapshot = await world.service.reading.snapshot(table)
    assert (None, None) == (snapshot.proposal, snapshot.proposal_until)
    assert not (await table_state(world, table)).is_undo_open
    assert await world.store.times.timer(table, Deadline.PROPOSAL) is None
    late = (TableCode.UNDO_TOO_LATE, {"table": table})
    assert late == await refusal_of(world.service.consent.propose(world.caller(NORTH), table, ProposalKind.UNDO))


async def test_computer_players_agree_to_an_undo_until_they_move(world: World) -> None:
    random, table = Random(4), (await world.start_game(NORTH, players=2)).id
    before = await world.service.reading.snapshot(table)
    await world.service.play.act(world.caller(NORTH), table, DRAW)
    undo = await world.service.consent.propose(world.caller(NORTH), table, ProposalKind.UNDO)
    assert (before.view, None) == (undo.view, undo.proposal)
    await world.service.play.act(world.caller(NORTH), table, DRAW)
    while (await world.current_turn(table))[1] == 0:
        await world.take_random_step(table, random)
    await world.take_random_step(table, random)
    late = (TableCode.UNDO_TOO_LATE, {"table": table})
    assert late == await refusal_of(world.service.consent.propose(world.caller(NORTH), table, ProposalKind.UNDO))


async def test_one_no_keeps_the_move(world: World) -> None:
    table = await begin_game(world)
    await world.service.play.act(world.caller(NORTH), table, DRAW)
    before = await state_of(world, table)
    await world.service.consent.propose(world.caller(NORTH), table, ProposalKind.UNDO)
    await world.service.consent.answer_proposal(world.caller(EAST), table, agrees=False)
    assert before == await state_of(world, table)


async def test_no_undo_crosses_the_beginning_or_end_of_a_deal(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, players=2, target=3000)).id
    nothing = (TableCode.UNDO_NOTHING, {"table": table})
    assert nothing == await refusal_of(world.service.consent.propose(world.caller(NORTH), table, ProposalKind.UNDO))
    await world.play_deal(table, Random(5))
    over = (TableCode.UNDO_DEAL_OVER, {"table": table})
    for person in (NORTH, EAST):
        assert over == await refusal_of(world.service.consent.propose(world.caller(person), table, ProposalKind.UNDO))
    await world.service.play.begin_next_deal(world.caller(NORTH), table)
    assert nothing == await refusal_of(world.service.consent.propose(world.caller(NORTH), table, ProposalKind.UNDO))


async def test_a_table_may_be_set_to_play_without_undo(world: World) -> None:
    table = await begin_game(world)
    await world.service.play.act(world.caller(NORTH), table, DRAW)
    await store_settings(world, table, TableSettings(undo=False))
    off = (TableCode.UNDO_OFF, {"table": table})
    assert off == await refusal_of(world.service.consent.propose(world.caller(NORTH), table, ProposalKind.UNDO))


async def test_at_a_fast_table_the_question_lasts_ten_minutes(world: World) -> None:
    table = await begin_game(world)
    await store_settings(world, table, TableSettings(clock=PRESETS["live"]))
    await world.service.play.act(world.caller(NORTH), table, DRAW)
    snapshot = await world.service.consent.propose(world.caller(NORTH), table, ProposalKind.UNDO)
    assert snapshot.proposal_until == world.clock.now() + 10 * MINUTE


async def test_neither_the_question_nor_its_answer_shows_a_card(world: World) -> None:
    """The public table is restored, and no description of the log's row shows a card."""
    table = await begin_game(world)
    before = await world.service.reading.snapshot(table)
    await world.service.play.act(world.caller(NORTH), table, DRAW)
    snapshot = await world.service.consent.propose(world.caller(NORTH), table, ProposalKind.UNDO)
    assert snapshot.proposal is not None
    assert not snapshot.proposal.days
    game = await state_of(world, table)
    drawn = (await table_state(world, table)).drawn[0]
    await world.service.consent.answer_proposal(world.caller(EAST), table, agrees=True)
    after = await world.service.reading.snapshot(table)
    assert (before.view, before.recent) == (after.view, after.recent)
    row = (await world.store.tables.actions(table))[-1]
    back = next(event for event in await stored_table_data.events_of(world.store, table) if isinstance(event, Undone))
    for described in (repr(back), repr(row), repr(after)):
        assert repr(game.hands[0]) not in described
        assert repr(game.stock) not in described
    assert drawn
    outside = (TableCode.NOT_SEATED, {"table": table})
    assert outside == await refusal_of(
        world.service.consent.answer_proposal(world.caller(STRANGER), table, agrees=True)
    )
