"""The computer player plays under all accepted house rules, legally and to the end of the deal."""

from __future__ import annotations

from random import Random

import pytest

from bot.computer.heuristics.rule_of_thumb_player import RuleOfThumbPlayer
from bot.engine.play.building_views import seat_view
from bot.engine.play.decide import why_not_allowed
from bot.engine.rules.sets import RULE_SETS
from tests.support.random_house_rules import differing_parameters, playable_rules
from tests.support.random_play import SCORES_BY_MINIMUM, deal_with_minimum, steps_of_a_deal
from tests.support.seeds import seeds

FORMS = [rules for forms in RULE_SETS.values() for rules in forms.values()]
MINIMA = tuple(SCORES_BY_MINIMUM)


@pytest.mark.parametrize("block", range(6))
def test_computer_players_take_legal_steps_under_random_house_rules(block: int) -> None:
    player = RuleOfThumbPlayer()
    for seed in seeds(6, block * 6):
        random = Random(seed)
        base = random.choice(FORMS)
        rules = playable_rules(base, random)
        state = deal_with_minimum(rules, seed, minimum=random.choice(MINIMA), dealer=seed % rules.players)
        played = list(steps_of_a_deal(state, lambda now, seat, _legal: player.choose(seat_view(now, seat)).step))
        assert played[-1].after.results, differing_parameters(rules, base)
        assert all(
            why_not_allowed(one.before, one.seat, one.action) is None for one in played[:: 1 + len(played) // 20]
        )
