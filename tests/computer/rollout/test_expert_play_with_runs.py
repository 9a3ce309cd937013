"""Experts under rules with runs: suits to discard, melds, and no effect of hidden cards."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from random import Random
from typing import Any

import pytest

from bot.computer.deals import play_deal
from bot.computer.duplicate_pairs import deal_with_opening_minimum
from bot.computer.heuristics.situation import Situation
from bot.computer.memory_of_a_deal import Memory
from bot.computer.player import player_for
from bot.computer.rollout.engine_conversion import deal_world, world_of
from bot.computer.rollout.fitted_numbers import fitted_numbers_for
from bot.computer.rollout.form import RANKS
from bot.computer.rollout.player import next_step
from bot.computer.rollout.policy_numbers import numbers_before_fitting
from bot.computer.rollout.runs.dealing import card_likelihoods_by_suit, redeal_by_suit
from bot.computer.rollout.runs.discards import discard_costs_with_suits
from bot.computer.rollout.runs.policy import finish_turn, play_to_end_with_runs, start_turn, ways_to_take_pile
from bot.computer.rollout.runs.suits_and_runs import CARDS
from bot.computer.rollout.scores import table_points
from bot.computer.rollout.search import ExpertPlayer
from bot.computer.rollout.world import RUNNING, World, copy_world
from bot.computer.seeded_random import shuffled_packs
from bot.engine.cards.cards import ACE, BLACK_THREE, CLUBS, DIAMONDS, HEARTS, TEN
from bot.engine.cards.meld_places import WILD_MELD
from bot.engine.moves.actions import Combine, Discard, DiscardCard, LayRun, Take, meld_step
from bot.engine.moves.phases import Phase
from bot.engine.play.building_views import seat_view
from bot.engine.play.decide import decide
from bot.engine.rules.sets import rule_set
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State
from tests.computer.positions import make_state
from tests.support.rollout_world_comparison import CLAIMED, QuickExpert
from tests.support.seeds import SEARCHING

WITH_RUNS = [
    (name, players)
    for name, players in CLAIMED
    if "seq" in rule_set(name, players).meld_kinds and (players == 4 or SEARCHING)
]


def world_as_seen(state: State) -> World:
    """Return the rollout world as the seat in turn sees it; the seat remembers the pile."""
    return world_of(seat_view(state, state.turn), Memory(state.pile, ((),) * state.rules.players))


def position(hand: str, **more: Any) -> State:
    """Return a samba state in which seat 0 holds `hand`; its side has a set and a run."""
    melds = {"0": ["9h 9d 9c 9s", "4h 5h 6h"], "1": ["Qd Qh Qs", "Td Jd Qd Kd"]}
    return make_state(hand, rules="samba", **{"melds": melds, **more})


@pytest.mark.parametrize(("name", "players"), WITH_RUNS)
def test_an_expert_plays_a_deal_to_its_end(name: str, players: int) -> None:
    rules = rule_set(name, players)
    (pack,) = islice(shuffled_packs(rules, 31), 1)
    deal = deal_with_opening_minimum(rules, pack, 0, minimum=rules.initial_meld_minimum(0))
    played = play_deal(deal, [QuickExpert(), *[player_for("casual")] * (players - 1)])
    assert played.illegal == 0
    assert played.turns > players


def test_a_discard_keeps_own_sequences_and_feeds_no_run_of_the_next_side() -> None:
    _, suits = discard_costs_with_suits(
        world_as_seen(position("Ts Td Js Qs Ad Ac 4h 4c")), numbers_before_fitting(runs=True)
    )
    assert DIAMONDS == suits[TEN]
    assert CLUBS == suits[ACE]


def test_discarding_a_card_costs_most_if_it_completes_the_next_sides_run() -> None:
    def cost_of_ten_beside(run: str) -> float:
        melds = {"0": ["9h 9d 9c 9s"], "1": ["Qd Qh Qs", run]}
        costs, _ = discard_costs_with_suits(
            world_as_seen(position("Th 6c 8s", melds=melds)), numbers_before_fitting(runs=True)
        )
        return costs[TEN]

    assert cost_of_ten_beside("4h 5h 6h 7h 8h 9h") > cost_of_ten_beside("7h 8h 9h") > cost_of_ten_beside("5c 6c 7c")


def test_a_discard_names_its_card_where_the_suit_matters() -> None:
    state = position("Th Ts Js 4c", drew="stock")
    view = seat_view(state, 0)
    choice = ExpertPlayer(rollouts=8).choose(view, Memory(state.pile, ((),) * 4))
    assert choice.step in view.legal
    assert isinstance(choice.step, Discard)
    assert isinstance(choice.action, DiscardCard)
    assert choice.step.kind != TEN or HEARTS == choice.action.card & 3
    assert choice.action.card in state.hands[0]


def test_a_pile_is_taken_by_a_run_and_by_a_set() -> None:
    for top, found in (("7h", [(-1, 0, 0)]), ("9s", [(0, 0, 0)]), ("7d", []), ("4s", [])):
        state = position("Ts 8c Jd As", phase="draw", pile=f"Kc Qs {top}")
        assert found == ways_to_take_pile(world_as_seen(state))


def test_a_run_of_seven_is_closed_and_scored() -> None:
    state = position("7h 8h 9h Th As 4c", melds={"0": ["9h 9d 9c 9s", "4h 5h 6h"], "1": ["Qd Qh Qs"]})
    world = world_as_seen(state)
    before = table_points(world, 0)
    finish_turn(world, numbers_before_fitting(runs=True))
    assert world.suits is not None
    assert [1, 0] == world.suits.finished
    assert 1500 + 5 + 3 * 10 == table_points(world, 0) - before
    assert 1 == world.canastas[0]


def test_sets_of_a_rank_are_merged_at_once() -> None:
    melds = {"0": ["9h 9d 9c 9s", "Kh Kd Ks"], "1": ["Qd Qh Qs"]}
    state = position("9h 9d As 4c 5c", phase="draw", pile="Kc Qs 9s", melds=melds)
    state = fold(state, decide(state, 0, Take(naturals=2)))
    assert Phase.PLAY is state.phase
    choice = ExpertPlayer(rollouts=8).choose(seat_view(state, 0), Memory(state.pile, ((),) * 4))
    assert isinstance(choice.step, Combine)
    assert 1 == world_as_seen(state).canastas[0]
    state = fold(state, decide(state, 0, choice.action))
    assert 1 == state.spreads[0].canastas == world_as_seen(state).canastas[0]


def test_a_run_that_completes_a_canasta_is_laid() -> None:
    melds = {"0": ["9h 9d 9c 9s", "4h 5h 6h 7h 8h 9h"], "1": ["Qd Qh Qs"]}
    state = position("Th As 4c 5d", melds=melds)
    choice = ExpertPlayer(rollouts=60).choose(seat_view(state, 0), Memory(state.pile, ((),) * 4))
    assert isinstance(choice.step, LayRun)


def test_wild_cards_are_laid_alone_and_a_full_meld_of_them_closes() -> None:
    melds = {"0": ["9h 9d 9c 9s", "2h 2d 2s 2c Jk Jk"], "1": ["Qd Qh Qs"]}
    state = make_state("2h As 4c 6d 8h", rules="bolivia", melds=melds)
    world = world_as_seen(state)
    before = table_points(world, 0)
    finish_turn(world, fitted_numbers_for(rule_set("bolivia", 4), 2))
    assert 2500 + 20 == table_points(world, 0) - before
    assert [1, 0] == world.canastas
    situation = Situation(seat_view(state, 0), Memory(state.pile, ((),) * 4))
    step = next_step(world_as_seen(state), fitted_numbers_for(rule_set("bolivia", 4), 2), situation)
    assert meld_step(WILD_MELD, twos=1) == step
    state = fold(state, decide(state, 0, step))
    assert table_points(world_as_seen(state), 0) == table_points(world, 0)


def test_black_threes_that_cost_in_hand_are_discarded_first() -> None:
    costs, _ = discard_costs_with_suits(
        world_as_seen(make_state("3s As Ac 4c 6d 8h", rules="bolivia")), numbers_before_fitting(runs=True)
    )
    assert costs[BLACK_THREE] < min(costs[kind] for kind in (ACE, 0, 2, 4))


def world_after_turns(turns: int, seed: int) -> World:
    """Return the rollout world of a samba deal after that many turns, or at its end."""
    rules, numbers = rule_set("samba", 4), fitted_numbers_for(rule_set("samba", 4), 2)
    (pack,) = islice(shuffled_packs(rules, seed), 1)
    world, _ = deal_world(rules, pack, dealer=0, totals=(0, 0))
    while world.ended == RUNNING and world.turns < turns:
        start_turn(world, numbers)
        if world.ended == RUNNING:
            finish_turn(world, numbers)
    return world


@pytest.mark.parametrize("seed", range(940, 960 if SEARCHING else 946))
def test_every_card_is_dealt_once_with_its_suit_and_known_cards_stay(seed: int) -> None:
    world = world_after_turns(10, seed)
    if world.ended != RUNNING:
        return
    assert world.suits is not None
    unseen = [kind << 2 | suit for kind, suit in zip(world.stock[: world.left], world.suits.stock, strict=False)]
    needs = [0 if seat == world.turn else world.held[seat] - world.certain[seat] for seat in range(4)]
    blind = copy_world(world)
    assert blind.suits is not None
    for seat in range(4):
        if seat != world.turn:
            for card in range(CARDS):
                place = seat * CARDS + card
                hidden = world.suits.hands[place] - world.suits.known[place]
                unseen += [card] * hidden
                blind.suits.hands[place] = 0
            for kind in range(15):
                held = world.hands[seat * 15 + kind] - world.known[seat * 15 + kind]
                unseen += [kind << 2] * (held if kind >= RANKS else 0)
                blind.hands[seat * 15 + kind] = 0
    dealt = redeal_by_suit(
        blind, sorted(unseen), needs, card_likelihoods_by_suit(blind), paired=2.0, random=Random(seed)
    )
    assert dealt.suits is not None
    assert sum(needs) + dealt.left == len(unseen)
    for seat in range(4):
        hand = dealt.hands[seat * 15 : seat * 15 + 15]
        cards = dealt.suits.hands[seat * CARDS : (seat + 1) * CARDS]
        assert world.held[seat] == sum(hand)
        assert hand[:RANKS] == [sum(cards[kind * 4 : kind * 4 + 4]) for kind in range(RANKS)]
        known = world.suits.known[seat * CARDS : (seat + 1) * CARDS]
        assert all(there >= sure for there, sure in zip(cards, known, strict=True))
    again = Counter(kind << 2 | suit for kind, suit in zip(dealt.stock, dealt.suits.stock, strict=True))
    for seat in range(4):
        if seat != world.turn:
            for card in range(CARDS):
                place = seat * CARDS + card
                again[card] += dealt.suits.hands[place] - world.suits.known[place]
    assert {card: count for card, count in Counter(unseen).items() if card < CARDS} == {
        card: count for card, count in again.items() if card < CARDS and count
    }


def test_a_copy_of_a_world_does_not_share_its_suits() -> None:
    world = world_after_turns(3, 950)
    other = copy_world(world)
    assert world.suits is not None
    assert other.suits is not None
    before = [world.suits.hands[:], world.suits.pile[:], world.suits.lows[:]]
    play_to_end_with_runs(other, [fitted_numbers_for(rule_set("samba", 4), 2)] * 2)
    assert before == [world.suits.hands, world.suits.pile, world.suits.lows]
    assert before[0] != other.suits.hands
