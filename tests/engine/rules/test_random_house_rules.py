"""Accepted house rules can be played: always a legal step, no card lost, every deal with an end."""

from __future__ import annotations

from random import Random

import pytest

from bot.engine.law.rule_conflicts import UnplayableRules, with_house_rules
from bot.engine.moves.events import DealEnded
from bot.engine.play.invariants import broken_invariants
from bot.engine.rules.rule_options import write_options
from bot.engine.rules.sets import RULE_SETS
from tests.support.random_house_rules import differing_parameters, playable_rules, random_parameters
from tests.support.random_play import SCORES_BY_MINIMUM, deal_with_minimum, steps_of_a_deal
from tests.support.seeds import seeds

FORMS = [rules for forms in RULE_SETS.values() for rules in forms.values()]
MINIMA = tuple(SCORES_BY_MINIMUM)


@pytest.mark.parametrize("block", range(8))
def test_deals_with_accepted_house_rules_always_end(block: int) -> None:
    for seed in seeds(8, block * 8):
        random = Random(seed)
        base = random.choice(FORMS)
        rules = playable_rules(base, random)
        state = deal_with_minimum(rules, seed, minimum=random.choice(MINIMA), dealer=seed % rules.players)
        ended = 0
        for played in steps_of_a_deal(state, random):
            assert () == broken_invariants(played.after), differing_parameters(rules, base)
            ended += sum(isinstance(event, DealEnded) for event in played.events)
        assert 1 == ended, differing_parameters(rules, base)


def test_refused_rules_give_a_reason_and_accepted_ones_survive_storing() -> None:
    refused = 0
    for seed in range(300):
        random = Random(seed)
        base = random.choice(FORMS)
        asked = random_parameters(random, random.randint(1, 12))
        try:
            rules = with_house_rules(base, asked)
        except UnplayableRules as unplayable:
            refused += len(unplayable.problems) > 0
        else:
            assert rules == with_house_rules(base, write_options(rules, base))
    assert 0 < refused < 300
