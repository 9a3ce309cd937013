"""Computer players' choices under a theme: canastas to make, ranks to keep, useless cards."""

from __future__ import annotations

from typing import Any

import pytest

from bot.computer.deals import Deal, play_deal
from bot.computer.heuristics.rule_of_thumb_player import RuleOfThumbPlayer
from bot.computer.heuristics.theme_aims import NO_AIMS, aims_of
from bot.computer.seeded_random import shuffled_packs
from bot.engine.cards.cards import ACE, BLACK_THREE, JOKER, KING, QUEEN, SEVEN, TWO
from bot.engine.law.rule_conflicts import find_rule_problems
from bot.engine.moves.actions import Discard, Meld
from bot.engine.play.building_views import seat_view
from bot.engine.positions.position_reading import read_position
from bot.engine.rules.sets import rule_set
from bot.engine.rules.themes.named_themes import THEMES, with_themes
from bot.engine.table.views import SeatView
from tests.support.seeds import SEARCHING

QUEENS = "Qs Qh Qd Qc Qs Qh"
FIVES = "5s 5h 5d 5c 5s 5h"


def view_of(theme: str, hand: str, melds: list[str] | None = None, **more: Any) -> SeatView:
    """Return the view of seat 0 after its draw, under that theme."""
    hands = {"0": hand, "1": "4c 5c 8c 9c Tc", "2": "6c 7d 8d", "3": "6d 8c Jc"}
    position = {"turn": 0, "phase": "play", "hands": hands, "stock": "7d 6h 5d 9c 8d Td", "pile": "6d Tc"}
    case = {"themes": [theme], "position": {**position, "melds": {"0": melds or []}, **more}}
    return seat_view(read_position(case), 0)


def test_without_a_theme_there_are_no_aims() -> None:
    assert NO_AIMS is aims_of(seat_view(read_position({"position": {"turn": 0, "hands": {"0": "4c"}}}), 0))


@pytest.mark.parametrize(
    ("theme", "missing"), [("three-to-go", 2), ("natural-exit", 0), ("royal-exit", 0), ("both-kinds", 1)]
)
def test_canastas_required_to_go_out_are_counted(theme: str, missing: int) -> None:
    aims = aims_of(view_of(theme, "4c 5c 6c", [f"{QUEENS} Qd"]))
    assert missing == aims.canastas_missing(0)
    assert 0 < aims.canastas_missing(1)
    assert not aims.stays


def test_no_player_plans_to_go_out_while_a_theme_forbids_it() -> None:
    aims = aims_of(view_of("to-the-last-card", "4c 5c 6c"))
    assert (True, True) == (aims.stays, aims.to_the_end)
    early, late = (aims_of(view_of("stay-for-six", "4c 5c 6c", turns_played=turns)) for turns in (4, 40))
    assert (True, False) == (early.stays, late.stays)
    assert not early.to_the_end


def test_unmeldable_cards_are_known_for_each_seat() -> None:
    assert {TWO, JOKER} == aims_of(view_of("no-wild-cards", "4c 5c 6c")).useless
    assert {KING} == aims_of(view_of("own-taboo", "4c 5c 6c")).useless
    assert frozenset() == aims_of(view_of("wilds-from-four", "4c 5c 6c", turns_played=0)).useless


def test_the_pile_is_safe_from_a_player_who_may_not_take_it() -> None:
    aims = aims_of(view_of("canasta-for-the-pile", "4c 5c 6c", [f"{QUEENS} Qd"]))
    assert (True, False) == (aims.may_take_pile(0), aims.may_take_pile(1))
    assert not aims_of(view_of("hands-off", "4c 5c 6c")).may_take_pile(0)


def test_a_canasta_required_by_a_theme_is_made_before_others() -> None:
    step = RuleOfThumbPlayer().choose(view_of("royal-exit", "2s 4c 6c 8c 9d Ts", [QUEENS, FIVES])).step
    assert isinstance(step, Meld)
    assert (QUEEN, 1) == (step.kind, step.twos)


def test_ranks_required_in_the_first_meld_are_not_discarded() -> None:
    step = RuleOfThumbPlayer().choose(view_of("ace-start", "As 9s 9d 4c 4d 6h 6s")).step
    assert isinstance(step, Discard)
    assert step.kind != ACE


def test_unmeldable_cards_are_discarded_first() -> None:
    step = RuleOfThumbPlayer().choose(view_of("taboo-sevens", "7s 7h 7d 9s 9d Ks Kd 3c", [f"{QUEENS} Qd"])).step
    assert isinstance(step, Discard)
    assert step.kind in (SEVEN, BLACK_THREE)


@pytest.mark.parametrize("theme", THEMES)
def test_every_theme_is_played_legally_to_the_end_of_a_deal(theme: str) -> None:
    """A normal run tries one rule set, a search three."""
    names = ("classic", "samba", "hand-and-foot")
    themed = [with_themes(rule_set(name, 4), [theme]) for name in names]
    possible = [(number, rules) for number, rules in enumerate(themed) if not find_rule_problems(rules)]
    assert len(possible) >= 2
    turn = list(THEMES).index(theme) % len(possible)
    for number, rules in possible if SEARCHING else possible[turn:][:1]:
        deal = Deal(rules, next(iter(shuffled_packs(rules, number))), number % 4, (0,) * rules.sides)
        played = play_deal(deal, [RuleOfThumbPlayer() for _ in range(rules.players)])
        assert 0 == played.illegal


@pytest.mark.parametrize(
    ("lying", "fed"),
    [("7h 7d 7c 7s 7h", False), ("7h 7d 7c 2s 2h", True)],
    ids=["two sevens from winning", "no natural canasta any more"],
)
def test_no_card_is_discarded_for_an_opponents_winning_canasta(lying: str, *, fed: bool) -> None:
    """The pile is frozen, and the other cards are pairs that the seat wants to keep."""
    hands = {"0": "7s 9s 9d Kh Kd Qs Qd", "1": "4c 5c 8c 9c Tc", "2": "6c 7d 8d", "3": "6d 8c Jc"}
    position = {"turn": 0, "phase": "play", "hands": hands, "stock": "7d 6h 5d 9c 8d Td", "pile": "6d Tc"}
    position |= {"melds": {"0": ["4h 4d 4s"], "1": [lying]}, "frozen": True}
    for theme, expected in (("lucky-sevens", fed), ("keep-aces", True)):
        chosen = RuleOfThumbPlayer().choose(seat_view(read_position({"themes": [theme], "position": position}), 0)).step
        assert isinstance(chosen, Discard)
        assert expected == (chosen.kind == SEVEN)
