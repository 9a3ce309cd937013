"""Every value that a rule set gives to a parameter has a case that is accepted by it and one that is refused."""

from __future__ import annotations

import pytest

from bot.engine.rules.parameters import BY_NAME
from bot.engine.rules.sets import RULE_SETS
from bot.referee.requests import OK
from tests.support import coverage
from tests.support.coverage import ACCEPTED, REFUSED, Case

HINT = "add it to tests/data/cases (docs/referee.md, Cases to keep)"


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_value_has_a_case_that_is_accepted_and_one_that_is_refused(name: str) -> None:
    missing = []
    for point in coverage.points(name):
        proof = coverage.proof_of(point)
        missing += [f"{point}: no case is accepted because of it; {HINT}"] if not proof.accepted else []
        missing += [f"{point}: no case is refused because of it; {HINT}"] if not proof.refused else []
    assert [] == missing


DECLARING = [case for case in coverage.all_cases() if case.get("accepts") or case.get("refuses")]


@pytest.mark.parametrize("case", DECLARING, ids=lambda case: case["id"])
def test_what_a_case_says_of_itself_can_be_so(case: Case) -> None:
    named = {*case.get("accepts", ()), *case.get("refuses", ())}
    assert named <= BY_NAME.keys()
    assert not named & case.get("options", {}).keys(), "a value of the rule set is shown, not one of the options"
    expected = [action.get("expect") for action in case["actions"]]
    if case.get("accepts"):
        assert OK in expected
    if case.get("refuses"):
        assert any(one not in (None, OK) for one in expected) or case.get("expect")


def test_a_case_shows_what_another_value_would_change() -> None:
    """A meld of two naturals and two wild cards: refused where naturals have to be more, else accepted."""
    hand = {"turn": 0, "phase": "play", "hands": {"0": "9s 9h 2d 2s 4s 5s"}, "melds": {"0": ["Jh Js Jd"]}}
    tried = {"do": "meld", "melds": ["9s 9h 2d 2s"]}
    case = {"rules": "italian-club", "position": hand, "actions": [{**tried, "expect": "meld_too_many_wilds"}]}
    assert [REFUSED] == list(coverage.with_value(case, "wild_ratio", "none"))
    assert [] == list(coverage.with_value(case, "wild_ratio", "nat>=2w"))
    case = {"rules": "classic", "position": hand, "actions": [{**tried, "expect": "ok"}]}
    assert [ACCEPTED] == list(coverage.with_value(case, "wild_ratio", "nat>w"))


def test_the_rules_that_a_rule_set_is_made_of() -> None:
    assert "singkep" == coverage.base(RULE_SETS["singkep-13"][2]).name
    assert "classic" == coverage.base(RULE_SETS["singkep"][4]).name
    assert 4 == coverage.base(RULE_SETS["bicycle"][4]).players
