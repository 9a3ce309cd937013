"""House rules of the pile and of going out: the listed steps are those that the oracle calls legal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from bot.engine.cards.notation import parse_cards
from bot.engine.law.rule_conflicts import ProblemCode, find_rule_problems
from bot.engine.moves.actions import TAKE_SHOWING, Combine, Discard
from bot.engine.moves.events import Gathered
from bot.engine.play.building_views import public_view, seat_view
from bot.engine.play.decide import decide
from bot.engine.play.legal_steps import legal_actions
from bot.engine.positions.position_reading import read_position, write_position
from bot.engine.rules.rule_options import with_options
from bot.engine.rules.sets import rule_set
from bot.engine.table.applying_events import fold
from bot.engine.table.views import public_event
from tests.engine.reach.test_variants_by_oracle import oracle_difference
from tests.support.seeds import seeds
from tests.support.small_variant_positions import MAKERS, play_random_turn

Options = Mapping[str, Any]

OPTIONS: dict[str, Options] = {
    "h36": {"meld_after_take": False},
    "h37": {"frozen_untaken": True},
    "h41": {"take_twos": True},
    "h45": {"out_canastas_before": True},
    "all": {"meld_after_take": False, "frozen_untaken": True, "take_twos": True, "out_canastas_before": True},
    "h36-strictly": {"meld_after_take": False, "out_discard": "mandatory", "draw_with_pile": 1},
    "h36-first-canasta": {"meld_after_take": False, "open_waiver": ["first_canasta_top"]},
}

TABLES = [("classic", 4), ("classic", 2), ("samba", 4), ("hand-and-foot-us", 4), ("modern-american", 4), ("pennies", 6)]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_the_listed_steps_are_the_legal_steps_of_the_oracle(name: str, players: int, options: str) -> None:
    compared = 0
    for maker in MAKERS:
        for seed in seeds(10):
            for state, position in play_random_turn(
                rule_set(name, players), seed, build_position=MAKERS[maker], options=OPTIONS[options]
            ):
                assert not oracle_difference(state, position)
                compared += 1
    assert compared > 24


SHOWING = {
    "rules": "classic",
    "options": {"take_twos": True, "frozen_untaken": True},
    "position": {
        "turn": 0,
        "hands": {"0": "2h 2d 2s 4s Kc", "1": "4c", "2": "5c", "3": "6c"},
        "stock": "7d 6h",
        "pile": "3h Tc 2d",
        "melds": {"0": ["Jh Js Jd"]},
    },
}


def test_h41_shown_twos_stay_in_the_hand_and_the_whole_pile_comes_with_its_top() -> None:
    state = read_position(SHOWING)
    assert TAKE_SHOWING in legal_actions(state)
    (gathered,) = decide(state, 0, TAKE_SHOWING)
    assert Gathered(0, parse_cards("Tc 2d"), parse_cards("3h"), showed=parse_cards("2h 2d")) == gathered
    assert gathered == public_event(gathered)
    after = fold(state, (gathered,))
    assert tuple(sorted(parse_cards("2h 2d 2d 2s 4s Kc Tc"))) == after.hands[0]
    assert ((), False, "pile", frozenset({0})) == (after.pile, after.frozen, after.drew, after.takers)
    assert not seat_view(after, 0).can_take_back


def test_h41_the_last_two_twos_of_a_hand_may_be_shown_without_a_canasta() -> None:
    place = SHOWING["position"]
    state = read_position({**SHOWING, "position": {**place, "hands": {**place["hands"], "0": "2h 2d"}}})  # type: ignore[dict-item, index]
    assert TAKE_SHOWING in legal_actions(state)
    assert tuple(sorted(parse_cards("2h 2d 2d Tc"))) == fold(state, decide(state, 0, TAKE_SHOWING)).hands[0]


def test_h37_everybody_sees_for_whom_the_pile_is_frozen() -> None:
    state = read_position(SHOWING)
    assert [True, True, True, True] == [info.frozen for info in public_view(state).seats]
    after = fold(state, decide(state, 0, TAKE_SHOWING))
    assert [False, True, True, True] == [info.frozen for info in public_view(after).seats]
    assert frozenset({0}) == read_position(write_position(after)).takers


def test_h41_a_pile_with_a_two_is_closed_only_to_a_side_that_has_not_opened() -> None:
    assert not public_view(read_position(SHOWING)).pile.closed
    unopened = {**SHOWING, "position": {**SHOWING["position"], "melds": {}}}  # type: ignore[dict-item]
    assert public_view(read_position(unopened)).pile.closed


def test_h36_after_taking_the_pile_melds_are_merged_but_no_cards_are_melded() -> None:
    canastas, queens = ["Ks Kh Kd Kc Ks Kh Kd", "As Ah Ad Ac As Ah Ad"], ["Qs Qh Qd", "Qc Qs Qh"]
    position = {
        "turn": 0,
        "phase": "play",
        "drew": "pile",
        "permission": True,
        "hands": {"0": "9s 9h 9d 4s", "1": "4c"},
        "stock": "9c 8d",
        "pile": "6d",
        "melds": {"0": [*canastas, *queens]},
    }
    state = read_position({"rules": "samba", "options": {"meld_after_take": False}, "position": position})
    assert [Combine, Discard, Discard] == [type(step) for step in legal_actions(state)]


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"frozen_untaken": True, "pile_frozen": "always"}, ProblemCode.FROZEN_UNTAKEN_IDLE),
        ({"take_twos": True, "pile_take": 1}, ProblemCode.TWOS_TAKE_NOTHING),
        ({"out_canastas_before": True, "out_canastas": 0}, ProblemCode.OUT_BEFORE_IDLE),
    ],
)
def test_ineffective_parameters_are_refused_when_the_table_is_made(options: Options, code: ProblemCode) -> None:
    assert code in [problem.code for problem in find_rule_problems(with_options(rule_set("classic", 4), dict(options)))]
