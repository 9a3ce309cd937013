"""The engine's legal steps are those of an oracle written from the rules alone, step for step."""

from __future__ import annotations

from collections.abc import Iterable
from math import comb, prod
from random import Random

import pytest

from bot.engine.play.decide import is_allowed
from bot.engine.play.legal_steps import legal_actions
from bot.engine.positions.position_reading import write_position
from bot.engine.rules.sets import rule_set
from bot.engine.table.state import State, seat_to_act
from tests.support import legal_step_oracle
from tests.support.random_play import apply_action, deal_with_minimum, steps_of_a_deal
from tests.support.seeds import SEARCHING, seeds
from tests.support.small_positions import (
    conceivable_steps,
    engine_step,
    oracle_position,
    position_hard_to_finish,
    small_position,
)

MAKERS = {"small": small_position, "tight": position_hard_to_finish}
FEW_LAYOUTS = 150
SMALL_PILE = 3


def states_of_random_turns(maker: str, seeds: Iterable[int]) -> Iterable[State]:
    """Yield the states of one random turn for each seed, which begins in a random position."""
    for seed in seeds:
        random = Random(seed)
        state = MAKERS[maker](random)
        while seat_to_act(state) is not None and state.turn == 0:
            yield state
            legal = legal_actions(state)
            if not legal:
                break
            state = apply_action(state, seat_to_act(state), random.choice(legal))


def oracle_difference(state: State) -> str:
    """Return how engine and oracle differ about the legal steps, as text; empty if they agree."""
    listed = set(legal_actions(state))
    lawful = {engine_step(step) for step in legal_step_oracle.legal_steps(oracle_position(state))}
    if listed == lawful:
        return ""
    text = f"laid {state.laid_points}, aside {state.aside}, permission {state.permission}"
    return f"missing {lawful - listed}, too many {listed - lawful}, at {write_position(state)}, {text}"


def estimate_layouts(position: legal_step_oracle.Position) -> int:
    """Return a bound on the number of layouts that the oracle would try."""
    ranks = [rank for rank in legal_step_oracle.NATURALS if rank in position.melds or position.hand.get(rank, 0) > 1]
    wilds = position.hand.get("2", 0) + position.hand.get("0", 0)
    return prod(position.hand.get(rank, 0) + 1 for rank in ranks) * comb(len(ranks) + wilds, wilds)


SMALL = 200 if SEARCHING else 80
"""Small positions in each part of the test; a search multiplies them."""

TIGHT = 32 if SEARCHING else 20
"""Positions in each part in which an initial meld is barely possible."""


@pytest.mark.parametrize("chunk", range(4))
def test_legal_steps_match_the_oracle_on_small_positions(chunk: int) -> None:
    for state in states_of_random_turns("small", seeds(SMALL, chunk * SMALL)):
        assert not oracle_difference(state)


@pytest.mark.parametrize("chunk", range(6))
def test_legal_steps_match_the_oracle_if_an_initial_meld_is_barely_possible(chunk: int) -> None:
    for state in states_of_random_turns("tight", seeds(TIGHT, chunk * TIGHT)):
        assert not oracle_difference(state)


@pytest.mark.parametrize(("maker", "count"), [("small", 60), ("tight", 16)])
def test_accepted_steps_match_the_oracle_for_every_step_that_can_be_named(maker: str, count: int) -> None:
    for state in states_of_random_turns(maker, seeds(count, 50_000)):
        lawful = {engine_step(step) for step in legal_step_oracle.legal_steps(oracle_position(state))}
        accepted = {step for step in conceivable_steps(state) if is_allowed(state, seat_to_act(state), step)}
        assert lawful == accepted, write_position(state)


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("minimum", [15, 50, 90, 120])
def test_the_oracle_agrees_at_every_small_hand_of_whole_deals(players: int, minimum: int) -> None:
    compared = 0
    for seed in seeds(4):
        for played in steps_of_a_deal(
            deal_with_minimum(rule_set("classic", players), seed, minimum=minimum), Random(seed)
        ):
            state = played.before
            if estimate_layouts(oracle_position(state)) <= FEW_LAYOUTS and (
                not state.aside or len(state.pile) <= SMALL_PILE
            ):
                assert not oracle_difference(state)
                compared += 1
    assert compared > 100
