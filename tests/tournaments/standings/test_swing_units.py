"""Units of swing: every rule set has one, and it can be measured again."""

from __future__ import annotations

import json

import pytest

from bot.__main__ import main
from bot.engine.rules.sets import RULE_SETS
from bot.ratings.swing_units import SWING_UNITS
from bot.tournaments.standings.tie_breaks import SwingUnit, swing_of
from tests.support.seeds import SEARCHING


def test_every_rule_set_has_a_unit_of_swing() -> None:
    assert set(RULE_SETS) == set(SWING_UNITS)
    assert all(unit >= 1 for unit in SWING_UNITS.values())


def test_units_of_swing_match_the_specification() -> None:
    assert {"classic": 2, "samba": 5, "hand-and-foot": 7, "modern-american": 12} == {
        name: SWING_UNITS[name] for name in ("classic", "samba", "hand-and-foot", "modern-american")
    }


def test_the_swing_of_a_deal_counts_up_to_500_units() -> None:
    assert SwingUnit(2, 1000) == swing_of("classic")
    assert SwingUnit(12, 6000) == swing_of("modern-american")


def test_the_bench_measures_the_swing_of_one_rule_set(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == main(["bench", "swing", "--rules", "classic-cut-throat", "--deals", "2", "--json"])
    figures = json.loads(capsys.readouterr().out)
    assert ["classic-cut-throat", 3, 2] == [figures[name] for name in ("rules", "players", "deals")]
    assert figures["deviation"] >= 0


def test_the_bench_prints_the_swing_of_each_rule_set_on_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    """At night all rule sets are measured, in a normal run every fifth."""
    names = list(RULE_SETS)[:: 1 if SEARCHING else 5]
    assert 0 == main(["bench", "swing", "--deals", "2", *([] if SEARCHING else ["--rules", *names])])
    texts = capsys.readouterr().out.splitlines()
    assert names == [line.split(" for ")[0] for line in texts]


def test_measuring_a_unit_of_swing_needs_at_least_two_deals(capsys: pytest.CaptureFixture[str]) -> None:
    assert 2 == main(["bench", "swing", "--deals", "1"])
    assert "canasta-bot bench swing: --deals takes 2 at least\n" == capsys.readouterr().out
