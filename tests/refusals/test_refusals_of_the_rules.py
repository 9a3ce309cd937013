"""Refusals of the rules are true: the reason that each names was an obstacle, its numbers are right.

Every code is checked by `tests.support.refusal_checks`: in every run by the cases and by random attempts in every
form of every rule set, at night by 25 times as many.
"""

from __future__ import annotations

from typing import Any, Final

import pytest

from bot.engine.cards.cards import FOUR
from bot.engine.cards.meld_places import FAMILIES, run_place
from bot.engine.cards.notation import cards_text, parse_cards
from bot.engine.moves.actions import DRAW, TAKE_BACK, Action, Lay, LayMelds, LayRun, Meld, StartDeal, TakePile
from bot.engine.moves.refusals import Code, Detail, Refusal
from bot.engine.positions.position_reading import read_position
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import RULE_SETS
from bot.engine.table.state import State
from tests.support.random_play import one_form_of_each_rule_set
from tests.support.refusal_checks.refusal_errors import refusal_errors
from tests.support.refusal_checks.refused_attempts import (
    RefusedAttempt,
    find_refusal,
    random_refusals,
    refusals_of_cases,
)
from tests.support.seeds import SEARCHING, seeds

FORMS: Final = (
    [rules for forms in RULE_SETS.values() for rules in forms.values()] if SEARCHING else one_form_of_each_rule_set()
)

LEAST: Final = 40
"""Attempts of a form that are refused at least for a seed; there are some two hundred."""


def position(rules: str, phase: str, hand: str, *, players: int = 4, **more: Any) -> State:
    place = {"turn": 0, "phase": phase, "hands": {"0": hand}, "stock": "7d 6h 5d 9c", "pile": "6d Tc", **more}
    return read_position({"rules": rules, "players": players, "position": place})


def lay_melds_from_text(*melds: str) -> LayMelds:
    return LayMelds(tuple(Lay(parse_cards(meld)) for meld in melds))


KINGS: Final = {"0": ["Kh Kd Ks"]}
PLAYING: Final = position("classic", "play", "4s 5s 6s 9d", melds=KINGS)

BESIDE_THE_CASES: Final[list[tuple[State, int | None, Action]]] = [
    (PLAYING, 0, StartDeal(())),
    (PLAYING, 9, DRAW),
    (PLAYING, 0, LayRun(run_place(0), FOUR, FOUR + 2)),
    (PLAYING, 0, TAKE_BACK),
    (position("classic", "play", "4s 4h 4d 9d"), 0, Meld(FOUR, 3)),
    (position("uruguay", "play", "4s 4h 4d 9d 8c", melds={"0": ["4s 4h 4d"]}), 0, Meld(FOUR + FAMILIES, 3)),
    (position("classic", "play", "4s 5d", players=5), 4, DRAW),
    (position("classic", "draw", "9s 9h 4d 5c", melds=KINGS), 0, TakePile(parse_cards("9s 9h"))),
    (position("samba", "draw", "9c Jc 4d 5c", melds=KINGS), 0, TakePile(parse_cards("9c Jc"))),
]
"""Attempts that the referee's cases cannot tell, or do not."""


def fault_report(attempt: RefusedAttempt, errors: list[str]) -> str:
    """Return a text that says where and how a refusal is false."""
    state = attempt.state
    hand = cards_text(state.hands[state.turn]) if state.hands else ""
    melds = [cards_text(meld.cards) for side in state.melds for meld in side]
    where = f"{state.rules.name} for {state.rules.players}, hand {hand}, pile {cards_text(state.pile)}, melds {melds}"
    return f"{attempt.action} is refused as {attempt.refusal}: {errors} ({where})"


def test_every_code_is_raised_and_its_reason_holds() -> None:
    raised = list(refusals_of_cases())
    between = next(one.state for one in raised if one.refusal.code is Code.NO_DEAL)
    for state, seat, action in [*BESIDE_THE_CASES, (between, None, StartDeal(()))]:
        found = find_refusal(state, seat, action)
        assert found is not None
        raised.append(found)
    assert [] == [fault_report(one, wrong) for one in raised if (wrong := refusal_errors(one))]
    assert [] == [code for code in Code if code not in {one.refusal.code for one in raised}]


@pytest.mark.parametrize("rules", FORMS, ids=lambda rules: f"{rules.name}-{rules.players}")
def test_a_random_refused_act_is_refused_for_the_reason_given(rules: RuleSet) -> None:
    for seed in seeds(1):
        found = list(random_refusals(rules, seed, turns=3, tries=3))
        assert len(found) >= LEAST
        assert [] == [fault_report(one, wrong) for one in found if (wrong := refusal_errors(one))]


# --- the check itself -------------------------------------------------------------------------------------------------

PAIR: Final = position("classic", "draw", "Th Td 4s 5s 6s", melds=KINGS)
LOW: Final = position("classic", "play", "4s 4h 4d 9d 9h 8c 8d")
BLACK: Final = position("classic", "play", "3s 3s 3c Kh Kd Ks 4d")
OUT: Final = position("classic", "play", "Kc 9d", melds={"0": ["Kh Kd Ks", "8s 8h 8d 8c 8s 8h 8d"]})


@pytest.mark.parametrize(
    ("state", "action", "code", "detail"),
    [
        (OUT, lay_melds_from_text("Kc"), Code.NEEDS_CANASTA, {"canastas": 0, "required": 1, "left": 1}),
        (LOW, lay_melds_from_text("4s 4h 4d"), Code.INITIAL_MELD_TOO_LOW, {"count": 20, "required": 50}),
        (LOW, lay_melds_from_text("4s 4h 4d"), Code.INITIAL_MELD_TOO_LOW, {"count": 15, "required": 90}),
        (LOW, Meld(FOUR, 3), Code.INITIAL_MELD_UNREACHABLE, {"count": 15, "required": 50, "best": 45}),
        (BLACK, lay_melds_from_text("3s 3s 3c"), Code.BLACK_THREES_ONLY_OUT, {"left": 1}),
        (PLAYING, lay_melds_from_text("9d"), Code.MELD_TOO_SMALL, {"count": 2, "required": 3}),
        (PLAYING, lay_melds_from_text("9d"), Code.WILDS_LOCKED, {"required": 7, "twos": 0}),
        (PLAYING, lay_melds_from_text("9d"), Code.FOOT_WAITS, {"cards": 0}),
        (PAIR, TakePile(parse_cards("Th")), Code.PILE_FROZEN, {"kind": "T", "held": 3}),
        (PAIR, TakePile(parse_cards("4s 5s")), Code.TAKE_NO_MELD_OR_RUN, {"kind": "9"}),
        (PLAYING, lay_melds_from_text("4s 5s 6s"), Code.MELD_MIXED_RANKS, {"first": "4", "second": "7"}),
        (PLAYING, lay_melds_from_text("Kd"), Code.CARD_NOT_HELD, {"kind": "9", "held": 0, "needed": 1}),
    ],
)
def test_the_check_finds_a_false_number(state: State, action: Action, code: Code, detail: Detail) -> None:
    """The engine gives no such number here."""
    assert refusal_errors(RefusedAttempt(state, 0, action, Refusal(code, detail)))


@pytest.mark.parametrize(
    ("state", "action", "detail"),
    [
        (position("classic", "play", "4s 5s 6s 9d"), lay_melds_from_text("4s"), {"naturals": 1, "required": 2}),
        (LOW, lay_melds_from_text("9d 9h"), {"naturals": 2, "required": 2}),
    ],
)
def test_the_check_finds_a_named_obstacle_that_was_none(state: State, action: Action, detail: Detail) -> None:
    """A new meld needs three cards; two naturals alone are not too few, so the refusal is false."""
    assert refusal_errors(
        RefusedAttempt(state, 0, action, Refusal(Code.MELD_TOO_FEW_NATURALS, {**detail, "least": 3, "count": 3}))
    )
