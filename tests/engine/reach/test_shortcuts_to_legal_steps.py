"""The engine's shortcuts list the same legal steps as the full searches that they replace."""

from __future__ import annotations

import json

import pytest

from bot.engine.cards.cards import RANK_LETTERS
from bot.engine.moves.actions import Step, meld_step
from bot.engine.play.legal_steps import legal_actions
from bot.engine.positions.position_reading import read_position, write_position
from bot.engine.reach.quick_bounds import SHORTCUTS, switch_off_shortcuts
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.state import State
from tests.support.recorded_deals import all_forms
from tests.support.seeds import SEARCHING, seeds
from tests.support.state_text import step_text
from tests.support.step_lists import DIGITS, PATH, digest_of_steps, form_name, positions_with_steps

TEN = RANK_LETTERS.index("T")

RECORDS: dict[str, str] = json.loads(PATH.read_text())


@pytest.mark.parametrize("rules", all_forms(), ids=form_name)
def test_legal_steps_of_a_deal_are_the_recorded_ones_with_and_without_shortcuts(rules: RuleSet) -> None:
    """A search compares the steps of other deals without shortcuts too."""
    record = RECORDS[form_name(rules)]
    assert len(record) > 20 * DIGITS
    plies = 0
    for ply, (state, legal) in enumerate(positions_with_steps(rules, 0)):
        kept = record[ply * DIGITS : (ply + 1) * DIGITS]
        assert kept == digest_of_steps(legal), f"ply {ply}: {', '.join(step_text(step) for step in legal)}"
        check_without_shortcuts(state, legal)
        plies += 1
    assert len(record) == plies * DIGITS
    for seed in seeds(1, first=1) if SEARCHING else ():
        for state, legal in positions_with_steps(rules, seed):
            check_without_shortcuts(state, legal)


def check_without_shortcuts(state: State, legal: tuple[Step, ...]) -> None:
    """Check that the list is the same without each shortcut, and without all of them."""
    for shortcuts in (*[(one,) for one in SHORTCUTS], SHORTCUTS):
        with switch_off_shortcuts(*shortcuts):
            assert legal == legal_actions(state), f"without {shortcuts}: {write_position(state)}"


@pytest.mark.parametrize("rules", all_forms(), ids=form_name)
def test_sums_and_search_decide_alike_about_a_started_initial_meld(rules: RuleSet) -> None:
    """Sums have to include melds on the table and cards that the hand must keep.

    A normal run tries every other minimum of the form, a search all.
    """
    asked = 0
    scores = sorted({start or -5 for start, _ in rules.open_table} | {0})
    for score in scores if SEARCHING else scores[rules.players % 2 :: 2]:
        for seed in seeds(1, first=4):
            for ply, (state, legal) in enumerate(positions_with_steps(rules, seed, score=score)):
                if state.laid_points:
                    with switch_off_shortcuts("sums"):
                        assert legal == legal_actions(state), f"score {score}, seed {seed}, ply {ply}"
                    asked += 1
    assert asked


def test_every_form_is_recorded() -> None:
    assert {form_name(rules) for rules in all_forms()} == set(RECORDS)


def test_a_wild_meld_on_the_table_meets_the_shape_of_the_initial_meld() -> None:
    """With no wild card in the hand, sums must see the meld on the table (`docs/law/variants.md 3.10`)."""
    opening = {
        "rules": "modern-american-pagat",
        "players": 4,
        "scores": [5000, 5000],
        "position": {
            "turn": 0,
            "phase": "play",
            "hands": {"0": "4h 5s 5h Th Td Tc Ac", "1": "4s", "2": "6h", "3": "7c"},
            "stock": "8h 9c",
            "pile": "Qh",
            "melds": {"0": ["Ts Ts JK", "2s 2d 2c 2c"]},
            "opened": {"0": False, "1": False},
            "drew": "stock",
            "begun": [0, 1],
        },
    }
    state = read_position(opening)
    with switch_off_shortcuts("sums"):
        searched = legal_actions(state)
    assert [meld_step(TEN, 1), meld_step(TEN, 2), meld_step(TEN, 3)] == list(searched)
    assert searched == legal_actions(state)


def test_a_card_of_a_run_is_not_useless_next_to_a_black_three() -> None:
    """After the announcement, the nine joins the run and the three is discarded.

    Source: `docs/law/variants.md 3.1`.
    """
    bound = {
        "rules": "samba",
        "position": {
            "turn": 0,
            "phase": "play",
            "hands": {"0": "5c 6c 7c 9d 3c", "1": "4c", "2": "4h", "3": "4s"},
            "stock": "8h 9c",
            "pile": "As 4s",
            "melds": {"0": ["6s 6s 6s 6h 6c 2h 2c", "Ts Ts Th Td Td Td Tc", "7s 7h 7d", "5d 6d 7d 8d"]},
            "drew": "stock",
            "permission": True,
        },
    }
    state = read_position(bound)
    with switch_off_shortcuts("bounds"):
        searched = legal_actions(state)
    assert len(searched) > 1
    assert searched == legal_actions(state)
