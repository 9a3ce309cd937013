"""Rule changes that a table refuses because their hands could be melded in too many ways."""

from __future__ import annotations

import pytest

from bot.engine.law.rule_conflicts import ProblemCode, UnplayableRules, with_house_rules
from bot.engine.rules.parameters import excessive_parameters
from bot.engine.rules.sets import RULE_SETS, rule_set


def test_no_rule_set_exceeds_the_limit() -> None:
    asked = [one for forms in RULE_SETS.values() for rules in forms.values() for one in excessive_parameters(rules)]
    assert [] == asked


@pytest.mark.parametrize(("name", "number", "most"), [("hand_size", 21, 20), ("decks", 6, 5), ("draw", 4, 3)])
def test_runs_are_refused_if_their_hands_take_too_long_to_compute(name: str, number: int, most: int) -> None:
    with pytest.raises(UnplayableRules) as caught:
        with_house_rules(rule_set("samba", 4), {name: number})
    told = [problem.detail for problem in caught.value.problems if problem.code is ProblemCode.TOO_MUCH_AT_ONCE]
    assert [{"parameter": name, "number": number, "most": most}] == told


def test_sets_of_one_rank_are_allowed_with_any_hand() -> None:
    assert () == tuple(excessive_parameters(with_house_rules(rule_set("classic", 4), {"hand_size": 21, "draw": 4})))
