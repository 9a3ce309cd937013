"""Oracle and engine find the same legal steps for every value of a parameter that affects them, also combined."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

import pytest

from bot.engine.play.decide import is_allowed
from bot.engine.play.legal_steps import legal_actions
from bot.engine.rules.rule_options import write_options
from bot.engine.rules.sets import RULE_SETS, rule_set
from bot.engine.table.state import State, seat_to_act
from tests.engine.reach.test_legal_steps_by_oracle import (
    FEW_LAYOUTS,
    MAKERS,
    SMALL_PILE,
    estimate_layouts,
    oracle_difference,
)
from tests.support.legal_step_oracle import legal_steps
from tests.support.random_play import apply_action, deal_with_minimum, steps_of_a_deal
from tests.support.seeds import SEARCHING, seeds
from tests.support.small_positions import (
    conceivable_steps,
    engine_step,
    has_variant_melds,
    oracle_position,
    with_penalty_cards,
)

Options = Mapping[str, Any]

SEEDS = {"small": 24, "tight": 8} if SEARCHING else {"small": 10, "tight": 4}
"""Turns from random positions of each maker; a search multiplies them."""

PARAMETERS: list[Options] = [
    {"meld_min": 4},
    {"min_naturals": 1},
    {"min_naturals": 3},
    {"max_wilds": 0},
    {"max_wilds": 1},
    {"max_wilds": 5},
    {"wild_ratio": "nat>=w"},
    {"wild_ratio": "nat>w"},
    {"wild_ratio": "nat>=2w"},
    {"wild_on_canasta": "never"},
    {"wild_on_canasta": "free"},
    {"meld_max": 7},
    {"meld_max": 8},
    {"frozen_unopened": False},
    {"take_open": ["pair", "add"]},
    {"take_open": ["pair", "card+wild"]},
    {"take_open": ["add"]},
    {"take_add_canasta": False},
    {"take_add_canasta": False, "take_pair_canasta": False},
    {"one_card_guard": False},
    {"open_pile": "no"},
    {"open_count_top": False},
    {"open_waiver": []},
    {"open_waiver": ["first_canasta_top"]},
    {"open_waiver": ["concealed", "first_canasta_top"]},
    {"draw_with_pile": 1},
    {"out_discard": "mandatory"},
    {"out_discard": "forbidden"},
    {"wild_reclaim": "natural_canasta"},
    {"out_announce": True, "ask_partner": "none"},
    {"ask_partner": "none"},
    {"ask_partner": "mandatory"},
    {"stock_out_force": "never"},
    {"stock_out_force": "whenever_able"},
    {"penalties": "laws"},
    {"penalties": "singkep"},
    {"penalties": "italian-club"},
]
"""Each value that affects which steps are legal, on its own."""


def options_different_from_classic(name: str) -> Options:
    """Return the parameters, known to the oracle, in which a rule set differs from classic for four."""
    known = {key for options in PARAMETERS for key in options} | {"open_table"}
    written = write_options(rule_set(name, 4), rule_set("classic", 4))
    return {key: value for key, value in written.items() if key in known}


OF_SETS_ALONE = [name for name in RULE_SETS if 4 in RULE_SETS[name] and not has_variant_melds(RULE_SETS[name][4])]
"""The rule sets in which melds are sets from one hand, which is what the oracle knows."""

RULE_SETS_FOR_FOUR = [
    options_different_from_classic(name) for name in OF_SETS_ALONE if options_different_from_classic(name)
]


def random_options(seed: int) -> Options:
    """Return a few random parameters with values."""
    random = Random(seed)
    options: dict[str, Any] = {}
    for one in random.sample(PARAMETERS, random.choice((2, 3, 4, 5))):
        options |= one
    return options


def states_of_random_turns(maker: str, seeds: Iterable[int], options: Options) -> Iterable[State]:
    """Yield the states of one random turn for each seed, which begins in a random position."""
    for seed in seeds:
        random = Random(seed)
        state = MAKERS[maker](random, options)
        if state.rules.penalties != "off":
            state = with_penalty_cards(state, random)
        while seat_to_act(state) is not None and state.turn == 0:
            yield state
            steps = legal_actions(state)
            if not steps:
                break
            state = apply_action(state, seat_to_act(state), random.choice(steps))


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("options", [*PARAMETERS, *RULE_SETS_FOR_FOUR], ids=str)
def test_legal_steps_match_the_oracle(options: Options, maker: str) -> None:
    for state in states_of_random_turns(maker, seeds(SEEDS[maker]), options):
        assert not oracle_difference(state)


@pytest.mark.parametrize("maker", MAKERS)
def test_legal_steps_match_the_oracle_for_combined_parameters(maker: str) -> None:
    for seed in seeds(2 * SEEDS[maker]):
        for state in states_of_random_turns(maker, (seed,), random_options(seed)):
            assert not oracle_difference(state), random_options(seed)


def test_accepted_steps_match_the_oracle_for_combined_parameters() -> None:
    for seed in seeds(10):
        for state in states_of_random_turns("small" if seed % 2 else "tight", (seed,), random_options(seed)):
            lawful = {engine_step(step) for step in legal_steps(oracle_position(state))}
            assert lawful == {step for step in conceivable_steps(state) if is_allowed(state, seat_to_act(state), step)}


@pytest.mark.parametrize("name", ["bicycle", "singkep", "italian-club", "gamerules", "afrikaans"])
def test_the_oracle_agrees_at_every_small_hand_of_whole_deals(name: str) -> None:
    compared = 0
    for seed, minimum in ((0, 15), (1, 50), (2, 90), (3, 120))[:: 1 if SEARCHING else 2]:
        for played in steps_of_a_deal(deal_with_minimum(rule_set(name, 4), seed, minimum=minimum), Random(seed)):
            state = played.before
            if estimate_layouts(oracle_position(state)) <= FEW_LAYOUTS and (
                not state.aside or len(state.pile) <= SMALL_PILE
            ):
                assert not oracle_difference(state)
                compared += 1
    assert compared > (30 if SEARCHING else 15)
