"""Recorded counts of steps and whole deals, which only changed rules or views may change.

After such a change, record them again and read the diff:

    python -m tests.support.step_sequence_counts
    python -m tests.support.recorded_deals
"""

from __future__ import annotations

import json
from itertools import accumulate, pairwise
from typing import Any

import pytest

from bot.engine.play.legal_steps import legal_actions
from bot.engine.rules.rule_set import RuleSet
from tests.support import recorded_deals, step_sequence_counts
from tests.support.seeds import SEARCHING
from tests.support.state_text import step_text, view_lines

FORMS = recorded_deals.all_forms()
FEW = 30
"""By day, counts are checked until this many sequences have been counted; `make nightly` checks all."""


def name_of(rules: RuleSet) -> str:
    return f"{rules.name}-{rules.players}"


def load_recorded(rules: RuleSet) -> list[dict[str, Any]]:
    path = step_sequence_counts.counts_file(rules)
    assert path.is_file(), f"no counts of {name_of(rules)} are recorded: python -m tests.support.step_sequence_counts"
    entries: list[dict[str, Any]] = json.loads(path.read_text())
    return entries


def counts_to_check(counts: list[int]) -> list[int]:
    """Return the recorded counts that are checked: in a normal run only small ones, in a search all."""
    listed = [0, *accumulate(counts)]
    return [count for count, before in zip(counts, listed, strict=False) if SEARCHING or before <= FEW]


@pytest.mark.parametrize("rules", FORMS, ids=name_of)
def test_legal_steps_have_the_recorded_order_and_counts(rules: RuleSet) -> None:
    """A normal run counts from two of the four deals of each form, a search from all."""
    entries = load_recorded(rules)
    assert len(step_sequence_counts.start_positions(rules)) == len(entries)
    turn = FORMS.index(rules) % 2
    for entry in entries if SEARCHING else [entry for entry in entries if entry["seed"] % 2 == turn]:
        root = step_sequence_counts.StartPosition(rules, entry["seed"], entry["minimum"], entry["steps"])
        state, counts = root.state(), counts_to_check(entry["counts"])
        assert entry["legal"] == [step_text(step) for step in legal_actions(state)]
        assert counts == [step_sequence_counts.count_step_sequences(state, depth + 1) for depth in range(len(counts))]


EVERY = 1 if SEARCHING else 5
"""The views of all seats are compared at one in this many positions of a recorded deal; events at each."""


@pytest.mark.parametrize("rules", FORMS, ids=name_of)
def test_the_recorded_deal_and_its_views_are_unchanged(rules: RuleSet) -> None:
    path = recorded_deals.recorded_deal_file(rules)
    assert path.is_file(), f"no deal of {name_of(rules)} is recorded: python -m tests.support.recorded_deals"
    recorded = positions_of(path.read_text().splitlines())
    for number, (texts, state) in enumerate(recorded_deals.lines_and_positions_of_deal(rules)):
        assert texts == recorded[number][: len(texts)]
        if number % EVERY == 0:
            assert list(view_lines(state)) == recorded[number][len(texts) :]
    assert len(recorded) == number + 1


def positions_of(lines: list[str]) -> list[list[str]]:
    """Return the lines of a recorded deal, grouped by position."""
    starts = [number for number, line in enumerate(lines) if line.startswith("# ")]
    return [lines[start:end] for start, end in pairwise([*starts, len(lines)])]


def test_exactly_the_existing_forms_are_recorded() -> None:
    names = {name_of(rules) for rules in FORMS}
    assert names == {path.stem for path in step_sequence_counts.FOLDER.iterdir()}
    assert names == {path.stem for path in recorded_deals.FOLDER.iterdir()}
