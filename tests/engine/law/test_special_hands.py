"""Special hands: fourteen cards that end the deal when they are shown (`docs/law/variants.md 3.10`)."""

from __future__ import annotations

from random import Random
from typing import Any, get_args

import pytest

from bot.engine.cards.notation import parse_cards
from bot.engine.law.special_hands import HAND_SIZE, PATTERNS, USUAL_POINTS, special_hands_in, special_points
from bot.engine.moves.actions import SHOW, Show, show_step
from bot.engine.moves.events import DealEnd, DealEnded, GameEnded, Showed
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.play.decide import decide, why_not_allowed
from bot.engine.play.legal_steps import legal_actions
from bot.engine.positions.position_reading import read_position, write_position
from bot.engine.rules.parameter_declarations import SpecialHand
from bot.engine.rules.sets import rule_set
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State

ALL = sorted(PATTERNS)

SHOWN = [
    ("pairs", "4s 4h 5s 5h 6s 6h 8s 8h 9s 9h Ts Th Js Jh", 2500),
    ("wild_pairs", "As Ah 7s 7h 6s 6h 8s 8h 9s 9h Ts Th 2s 2h", 2000),
    ("wild_pairs", "As Ah 7s 7h 6s 6h 8s 8h 9s 9h Ts Th JK JK", 2000),
    ("miami_pairs", "As Ah 7s 7h 6s 6h 8s 8h 9s 9h 2s 2h JK JK", 2500),
    ("zip_code", "4s 4h 5s 5h 6s 6h 6d 8s 8h 8d 9s 9h 9d 9c", 2500),
    ("zip_code", "4s 4h 2s 2h 6s 6h 6d 8s 8h 8d 9s 9h 9d 9c", 2500),
    ("zip_code", "4s 4h 5s 5h JK JK JK 8s 8h 8d 9s 9h 9d 9c", 2500),
    ("garbage", "4s 4h 4d 4c 5s 5h 5d 5c 6s 6h 6d 8s 8h 8d", 3000),
    ("blast_off", "4s 4h 4d 4c 4s 5s 5h 5d 5c 6s 6h 6d 8s 8h", 3000),
    ("blast_off", "2s 2h 2d 2c 2s 5s 5h 5d 5c 6s 6h 6d 8s 8h", 3000),
    ("triples", "4s 4h 4d 5s 5h 5d 6s 6h 6d 8s 8h 8d 2s 2h", 3500),
    ("quads", "4s 4h 4d 4c 5s 5h 5d 5c 6s 6h 6d 6c JK JK", 3500),
    ("dream_4", "4s 4h 4d 4c 4s 5s 5h 5d 5c 5s 2s 2h 2d 2c", 8500),
    ("dream_4", "4s 4h 4d 4c 4s 5s 5h 5d 5c 5s JK JK JK JK", 8500),
    *[
        ("dream_5", f"4s 4h 4d 4c 4s 5s 5h 5d 5c {' '.join(['2s'] * twos + ['JK'] * (5 - twos))}", 8500)
        for twos in range(6)
    ],
    ("straight", "As Kh Qd Jc Ts 9h 8d 7c 6s 5h 4d 3s 2c JK", 3000),
    ("straight", "As Kh Qd Jc Ts 9h 8d 7c 6s 5h 4d 3h 2c JK", 3000),
]

MISSED = [
    ("pairs", "4s 4h 4d 4c 6s 6h 8s 8h 9s 9h Ts Th Js Jh", "two pairs of one rank are not different"),
    ("pairs", "4s 4h 5s 5h 6s 6h 8s 8h 9s 9h Ts Th 2s 2h", "a wild pair is not natural"),
    ("wild_pairs", "As Ah Ks Kh 6s 6h 8s 8h 9s 9h Ts Th 2s 2h", "no sevens"),
    ("wild_pairs", "As Ah 7s 7h 6s 6h 8s 8h 9s 9h Ts Th 2s JK", "the wild pair is not equal"),
    ("miami_pairs", "Ks Kh 7s 7h 6s 6h 8s 8h 9s 9h 2s 2h JK JK", "no aces"),
    ("zip_code", "4s 4h 5s 2h 6s 6h 6d 8s 8h 8d 9s 9h 9d 9c", "a wild card stands for a natural"),
    ("zip_code", "4s 4h 2s JK 6s 6h 6d 8s 8h 8d 9s 9h 9d 9c", "the wild cards do not match"),
    ("garbage", "4s 4h 4d 4c 2s 2h 2d 2c 6s 6h 6d 8s 8h 8d", "wild cards"),
    ("blast_off", "4s 4h 4d 4c 4s 5s 5h 5d 6s 6h 6d 8s 8h 8d", "five, three, three, three"),
    ("triples", "4s 4h 4d 5s 5h 5d 6s 6h 6d 8s 8h 8d 2s JK", "the wild pair does not match"),
    ("quads", "4s 4h 4d 4c 5s 5h 5d 5c 6s 6h 6d 6c JK 2s", "the wild pair does not match"),
    ("dream_4", "4s 4h 4d 4c 4s 5s 5h 5d 5c 5s 2s 2h 2d JK", "the wild cards are not equal"),
    ("dream_5", "4s 4h 4d 4c 4s 5s 5h 5d 6c 2s 2h 2d JK JK", "no four of a rank"),
    ("straight", "As Kh Qd Jc Ts 9h 8d 7c 6s 5h 4d 4s 2c JK", "no three"),
    ("straight", "As Kh Qd Jc Ts 9h 8d 7c 6s 5h 4d 3s 2c 2h", "no joker"),
]


def position(hand: str, *, scores: tuple[int, int] = (0, 0), **more: Any) -> State:
    """Return a position in which seat 0 has drawn from the stock."""
    place: dict[str, Any] = {
        "turn": 0,
        "phase": "play",
        "hands": {"0": hand, "1": "Kc", "2": "As Ah Ad", "3": "9d"},
        "stock": "9c 8d 7c 6h",
        "pile": "6d 8c",
        "melds": {"1": ["Qs Qh Qd"]},
        **more,
    }
    return read_position({"options": {"special_hands": ALL}, "scores": list(scores), "position": place})


@pytest.mark.parametrize(("name", "hand", "points"), SHOWN)
def test_3_10_each_special_hand_is_shown_for_its_points(name: str, hand: str, points: int) -> None:
    rules = position("4s").rules
    assert (name,) == special_hands_in(rules, parse_cards(hand))
    assert points == special_points(rules, name)


@pytest.mark.parametrize(("name", "hand", "lacks"), MISSED)
def test_3_10_an_incomplete_hand_is_no_special_hand(name: str, hand: str, lacks: str) -> None:
    assert name not in special_hands_in(position("4s").rules, parse_cards(hand)), lacks


def test_every_special_hand_has_a_pattern_of_fourteen_cards() -> None:
    assert set(get_args(SpecialHand)) == set(PATTERNS) == set(USUAL_POINTS)
    assert {name for name, _, _ in SHOWN} == {name for name, _, _ in MISSED} == set(PATTERNS)
    for name, pattern in PATTERNS.items():
        for wilds in pattern.wilds:
            assert HAND_SIZE == sum(pattern.naturals) + sum(wilds) + pattern.straight, name


def test_3_10_only_the_straight_holds_a_three() -> None:
    rules = position("4s").rules
    for name, hand, _ in SHOWN:
        if name != "straight":
            assert () == special_hands_in(rules, parse_cards(hand)[1:] + parse_cards("3s"))


def test_no_random_hand_is_two_special_hands_at_once() -> None:
    random = Random(14)
    rules = position("4s").rules
    for _ in range(300):
        hand = parse_cards(random.choice(SHOWN)[1])
        swapped = (*hand[1:], random.choice(hand))
        assert len(special_hands_in(rules, swapped)) <= 1


def test_3_10_showing_ends_the_deal_and_is_all_that_the_side_scores() -> None:
    state = position("4s 4h 5s 5h 6s 6h 8s 8h 9s 9h Ts Th Js Jh", red_threes={"0": "3h", "1": "3d"})
    assert show_step("pairs") in legal_actions(state)
    showed, ended = decide(state, 0, SHOW)
    assert Showed(0, "pairs", state.hands[0]) == showed
    assert isinstance(ended, DealEnded)
    assert (DealEnd.SPECIAL_HAND, None) == (ended.reason, ended.went_out)
    assert (2500, 2500) == (ended.lines[0].bonuses, ended.scores[0])
    assert (30, 100, -20, 110) == (
        ended.lines[1].melded,
        ended.lines[1].red_threes,
        ended.lines[1].in_hand,
        ended.scores[1],
    )


def test_3_10_a_dream_wins_the_game_whatever_the_scores() -> None:
    state = position("4s 4h 4d 4c 4s 5s 5h 5d 5c 5s 2s 2h 2d 2c", scores=(-5000, 4990))
    *_, ended, over = decide(state, 0, Show("dream_4"))
    assert isinstance(ended, DealEnded)
    assert (3500, 5100 - 110 + 10) == (ended.scores[0], ended.scores[1])
    assert GameEnded(0) == over


@pytest.mark.parametrize(
    ("more", "refusal"),
    [
        ({"phase": "draw"}, Refusal(Code.DRAW_FIRST)),
        ({"drew": "pile"}, Refusal(Code.SHOW_TOO_LATE)),
        ({"melds": {"0": ["Qs Qh Qd"]}}, Refusal(Code.SHOW_TOO_LATE)),
        ({"melds": {"0": ["Qs Qh Qd"]}, "opened": {"0": False}}, Refusal(Code.SHOW_TOO_LATE)),
    ],
)
def test_3_10_a_special_hand_is_shown_after_drawing_before_the_side_opens(
    more: dict[str, Any], refusal: Refusal
) -> None:
    state = position("4s 4h 5s 5h 6s 6h 8s 8h 9s 9h Ts Th Js Jh", **more)
    assert refusal == why_not_allowed(state, 0, SHOW)
    assert not any(isinstance(step, Show) for step in legal_actions(state))


def test_3_10_another_hand_or_another_number_of_cards_is_refused() -> None:
    pairs = position("4s 4h 5s 5h 6s 6h 8s 8h 9s 9h Ts Th Js Jh")
    assert Refusal(Code.SHOW_NO_HAND, {"hands": 11}) == why_not_allowed(pairs, 0, Show("straight"))
    assert Refusal(Code.SHOW_CARDS, {"cards": 3, "required": 14}) == why_not_allowed(position("4s 4h 5s"), 0, SHOW)
    nothing = position("4s 4h 5s 5h 6s 6h 8s 8h 9s 9h Ts Th Js Qh")
    assert Refusal(Code.SHOW_NO_HAND, {"hands": 11}) == why_not_allowed(nothing, 0, SHOW)


def test_rules_without_special_hands_refuse_them() -> None:
    state = read_position({"position": {"turn": 0, "phase": "play", "hands": {"0": "4s"}, "stock": "5s"}})
    assert Refusal(Code.NO_SPECIAL_HANDS) == why_not_allowed(state, 0, SHOW)


def test_points_of_special_hands_depend_on_the_rules() -> None:
    rules = read_position(
        {"options": {"special_hands": ALL, "special_values": {"garbage": 2000}}, "position": {"hands": {"0": "4s"}}}
    ).rules
    assert (2000, 3000) == (special_points(rules, "garbage"), special_points(rules, "straight"))


def test_a_shown_hand_is_written_and_read_back() -> None:
    state = position("4s 4h 5s 5h 6s 6h 8s 8h 9s 9h Ts Th Js Jh")
    over = fold(state, decide(state, 0, SHOW))
    again = read_position(write_position(over))
    assert (over.results, over.shown, over.scores) == (again.results, again.shown, again.scores)
    assert () == rule_set("classic", 4).special_values
