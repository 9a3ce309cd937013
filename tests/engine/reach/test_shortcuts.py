"""One law: its shortcuts answer what the searches behind them answer, and every list is the recorded one."""

from __future__ import annotations

import json

import pytest

from bot.engine.play.legal import legal_actions
from bot.engine.reach.shortcuts import SHORTCUTS, without
from bot.engine.rules.rule_set import RuleSet
from tests.support.chance import seeds
from tests.support.lists import DIGITS, PATH, digits, name_of, walk
from tests.support.playthrough import forms
from tests.support.told import step_text

RECORDS: dict[str, str] = json.loads(PATH.read_text())


@pytest.mark.parametrize("rules", forms(), ids=name_of)
def test_without_a_shortcut_every_list_is_the_same(rules: RuleSet) -> None:
    asked = 0
    for seed in seeds(1, first=1):
        for ply, (state, legal) in enumerate(walk(rules, seed)):
            for shortcuts in (*[(one,) for one in SHORTCUTS], SHORTCUTS):
                with without(*shortcuts):
                    assert legal == legal_actions(state), f"without {shortcuts}, seed {seed}, ply {ply}"
                asked += 1
    assert asked > len(SHORTCUTS)


@pytest.mark.parametrize("rules", forms(), ids=name_of)
def test_every_list_of_a_deal_is_the_recorded_one(rules: RuleSet) -> None:
    record = RECORDS[name_of(rules)]
    assert len(record) > 20 * DIGITS
    plies = 0
    for ply, (_, legal) in enumerate(walk(rules, 0)):
        kept = record[ply * DIGITS : (ply + 1) * DIGITS]
        assert kept == digits(legal), f"ply {ply}: {', '.join(step_text(step) for step in legal)}"
        plies += 1
    assert len(record) == plies * DIGITS


def test_every_form_is_recorded() -> None:
    assert {name_of(rules) for rules in forms()} == set(RECORDS)
