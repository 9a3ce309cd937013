"""Every parameter's value in a rule set is proved by one accepted and one refused case."""

from __future__ import annotations

import pytest

from bot.engine.rules.parameters import BY_NAME
from bot.engine.rules.sets import RULE_SETS
from bot.referee.case_actions import OK
from bot.referee.cases import read_case, try_case
from tests.support import case_proofs
from tests.support.case_proofs import ACCEPTED, REFUSED, Case
from tests.support.unprovable_values import LOOSEST, STRICTEST

HINT = "add one to tests/data/cases if there is none (docs/referee.md, Cases to keep), then run make proofs"


REASONS = {ACCEPTED: STRICTEST, REFUSED: LOOSEST}
"""Reasons why no trial can show what cases declare about a parameter."""

MOST_SAID = 85
"""The number of declarations in cases of what no trial can show; it may fall but never rise."""


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_value_has_a_case_that_is_accepted_and_one_that_is_refused(name: str) -> None:
    wrong = []
    for point in case_proofs.values_to_prove(name):
        said = case_proofs.results_declared_by_cases(point)
        for what, reasons in REASONS.items():
            if what in said:
                unfounded = point.parameter not in reasons
                wrong += [
                    f"{point}: a case says that it is {what}, and tests.support.unprovable_values has no reason"
                ] * unfounded
            elif not case_proofs.is_still_proved(point, what):
                wrong.append(f"{point}: no case is kept that is {what} because of it; {HINT}")
    assert [] == wrong


@pytest.mark.nightly
@pytest.mark.timeout(1_800)
def test_the_stored_proofs_are_those_that_a_search_finds() -> None:
    assert case_proofs.load_proofs() == case_proofs.search_all_proofs(), "make proofs writes them again"


@pytest.mark.parametrize("name", RULE_SETS)
def test_no_case_proves_a_value_without_effect(name: str) -> None:
    """Where a value is listed as having no effect, no case has another outcome with another value."""
    wrong = []
    for point in case_proofs.values_without_effect(name):
        for case in case_proofs.cases_of(point):
            if case_proofs.has_no_effect(point.parameter, case_proofs.rules_of(case)):
                shown = {
                    *case_proofs.results_shown_by(case, point),
                    *case_proofs.declared_results(case, point.parameter),
                }
                wrong += [f"{point}: {case['id']} shows it {what}" for what in sorted(shown)]
    assert [] == wrong


DECLARING = [case for case in case_proofs.all_cases() if case.get("accepts") or case.get("refuses")]


@pytest.mark.parametrize("case", DECLARING, ids=lambda case: case["id"])
def test_declarations_of_a_case_are_possible(case: Case) -> None:
    named = {*case.get("accepts", ()), *case.get("refuses", ())}
    assert named <= BY_NAME.keys()
    assert not named & case.get("options", {}).keys(), "a value of the rule set is shown, not one of the options"
    expected = [action.get("expect") for action in case["actions"]]
    if case.get("accepts"):
        assert OK in expected
    if case.get("refuses"):
        assert any(one not in (None, OK) for one in expected) or case.get("expect")


@pytest.mark.parametrize("case", [case for case in DECLARING if case.get("refuses")], ids=lambda case: case["id"])
def test_a_refused_case_is_refused_by_the_parameters_paragraph(case: Case) -> None:
    """Cases whose expected result itself shows the value are exempt."""
    refused_by = {one.code.paragraph for one in try_case(read_case(case)).judgements if one.code}
    assert case.get("expect") or {BY_NAME[name].paragraph for name in case["refuses"]} <= refused_by


@pytest.mark.nightly
@pytest.mark.parametrize("name", RULE_SETS)
def test_no_case_declares_what_a_trial_of_it_proves(name: str) -> None:
    wrong = []
    for point in case_proofs.values_to_prove(name):
        for case in case_proofs.cases_of(point):
            said = case_proofs.declared_results(case, point.parameter)
            shown = set(case_proofs.results_shown_by(case, point)) if said else set()
            wrong += [f"{point}: a trial of {case['id']} shows it {what}" for what in sorted(said & shown)]
    assert [] == wrong


def test_the_number_of_declarations_does_not_grow() -> None:
    said = [name for case in DECLARING for field in ("accepts", "refuses") for name in case.get(field, ())]
    assert MOST_SAID >= len(said)


def test_the_declarations_are_exactly_those_that_have_a_listed_reason() -> None:
    for field, reasons in (("accepts", STRICTEST), ("refuses", LOOSEST)):
        assert reasons.keys() == {name for case in DECLARING for name in case.get(field, ())}


def test_a_higher_count_proves_acceptance_and_a_lower_one_refusal() -> None:
    """A natural canasta scores 500: a bonus of 400 would give less, which proves acceptance."""
    hand = {"turn": 0, "phase": "play", "hands": {"0": "4s"}, "melds": {"0": ["Ks Kh Kd Kc Ks Kh Kd"]}}
    expected = {"breakdown": [{"natural_canastas": 500}, {}]}
    case = {"position": hand, "actions": [{"do": "stop", "expect": "ok"}], "expect": expected}
    assert [ACCEPTED] == list(case_proofs.results_proved_by_value(case, "bonus_natural", 400))
    assert [REFUSED] == list(case_proofs.results_proved_by_value(case, "bonus_natural", 600))


def test_a_case_shows_what_another_value_would_change() -> None:
    """A meld of two naturals and two wild cards is refused if naturals must be more, else accepted."""
    hand = {"turn": 0, "phase": "play", "hands": {"0": "9s 9h 2d 2s 4s 5s"}, "melds": {"0": ["Jh Js Jd"]}}
    tried = {"do": "meld", "melds": ["9s 9h 2d 2s"]}
    case = {"rules": "italian-club", "position": hand, "actions": [{**tried, "expect": "meld_too_many_wilds"}]}
    assert [REFUSED] == list(case_proofs.results_proved_by_value(case, "wild_ratio", "none"))
    assert [] == list(case_proofs.results_proved_by_value(case, "wild_ratio", "nat>=2w"))
    case = {"rules": "classic", "position": hand, "actions": [{**tried, "expect": "ok"}]}
    assert [ACCEPTED] == list(case_proofs.results_proved_by_value(case, "wild_ratio", "nat>w"))


def test_a_rule_set_is_based_on_classic_or_singkep() -> None:
    assert "singkep" == case_proofs.base_rules_of(RULE_SETS["singkep-13"][2]).name
    assert "classic" == case_proofs.base_rules_of(RULE_SETS["singkep"][4]).name
    assert 4 == case_proofs.base_rules_of(RULE_SETS["bicycle"][4]).players
