"""Every rule set with random parameters of the variants: always a legal step, no invalid state."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from bot.engine.law.rule_conflicts import find_rule_problems
from bot.engine.play.invariants import broken_invariants
from bot.engine.rules.rule_options import read_options
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import RULE_SETS
from tests.engine.cards.test_dealing import OPTIONS as OF_DEALING
from tests.support.random_house_rules import differing_parameters
from tests.support.random_play import deal_with_minimum, steps_of_a_deal
from tests.support.seeds import seeds

FORMS = [rules for forms in RULE_SETS.values() for rules in forms.values()]

OPTIONS: Mapping[str, list[Any]] = {
    **{name: values for name, values in OF_DEALING.items() if name != "stock_end"},
    "meld_kinds": [
        ["set"],
        ["set", "wild"],
        ["set", "deuce"],
        ["set", "wild", "deuce"],
        ["set", "seq"],
        ["set", "seq", "wild"],
    ],
    "same_rank_melds": ["one", "many", "after_close"],
    "wild_lock": ["none", "twos", "all"],
    "wild_on_canasta": ["never", "to_max", "free"],
    "max_wilds": [2, 3],
    "wild_reclaim": ["none", "natural_canasta"],
    "meld_max": [None, 7],
    "wild_ratio": ["none", "nat>w"],
    "open_shape": ["any", "naturals", "clean3"],
    "open_pile": ["yes", "no"],
    "open_waiver": [["concealed"], [], ["splash"]],
    "take_frozen": ["pair", "triple", "triple_if_wild"],
    "frozen_untaken": [True, False],
    "take_twos": [True, False],
    "take_pair_canasta": [True, False],
    "meld_after_take": [True, False],
    "out_canastas_before": [True, False],
    "discard_bans": [[], ["black3_first_round"], ["wilds"], ["J"]],
    "black3_meld": ["go_out", "never"],
    "bonus_wild": [{"any": 2000}],
    "out_canastas": [1, 2],
    "out_need": [{}, {"natural": 1, "mixed": 1}],
    "out_excludes": [[], ["wild"]],
    "out_discard": ["optional", "mandatory", "forbidden"],
    "ask_partner": ["none", "optional", "mandatory"],
    "last_red3_ends": [True, False],
    "one_card_guard_stock_out": [True, False],
    "yes_binds": [True, False],
    "stock_out_force": ["never", "whenever_able"],
}


def random_rules(base: RuleSet, random: Random) -> RuleSet:
    """Return the rules with about a third of these parameters changed at random, without conflicts."""
    while True:
        options = {name: random.choice(values) for name, values in OPTIONS.items() if random.random() < 0.35}
        if "meld_kinds" in options:
            options["seq_rule"] = "closed" if "seq" in options["meld_kinds"] else "none"
        if options.get("black3_role") == "bonus":
            options["black3_values"] = [100] * (2 * base.decks)
        rules = read_options(base, options)
        if not find_rule_problems(rules):
            return rules


@pytest.mark.parametrize("block", range(8))
def test_random_deals_end_and_are_valid_at_every_step(block: int) -> None:
    for seed in seeds(6, block * 6):
        random = Random(seed)
        base = random.choice(FORMS)
        rules = random_rules(base, random)
        state = deal_with_minimum(rules, seed)
        assert () == broken_invariants(state), differing_parameters(rules, base)
        for played in steps_of_a_deal(state, random, max_steps=6000):
            assert () == broken_invariants(played.after), differing_parameters(rules, base)
