"""A written position is read back to the same game, at every moment of it and after its end."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine.moves.phases import Phase
from bot.engine.play.legal_steps import legal_actions
from bot.engine.positions.position_reading import PositionError, read_position, write_position
from bot.engine.table.state import State
from bot.referee.judgement import outcome_of
from tests.support.engine_games import played_positions
from tests.support.seeds import SEARCHING, example_count

FORMS = [("classic", 2), ("classic", 4), ("classic", 5), ("classic-rotating", 6), ("classic-cut-throat", 3)]


def state_without_irrelevant_parts(state: State) -> State:
    """Return the state without parts that affect no later outcome, such as earlier deals."""
    opened = state.opened[state.seating.side_by_seat[state.turn]]
    over = state.phase in (Phase.BETWEEN, Phase.OVER)
    return replace(
        state,
        fresh=(),
        laid=(),
        laid_points=0 if opened or over else state.laid_points,
        started=frozenset() if over else state.started,
        joined=not over and state.joined,
        permission=None if over else state.permission,
        drew=None if over else state.drew,
        results=state.results[-1:] if over else (),
    )


def write_and_read(state: State) -> State:
    return read_position(json.loads(json.dumps(write_position(state))))


@settings(max_examples=example_count(25))
@given(st.integers(0, 10_000), st.sampled_from(FORMS), st.sampled_from(["random", "casual"]))
def test_every_position_of_a_game_is_read_back(seed: int, form: tuple[str, int], level: str) -> None:
    """A normal run tries every fifth position, a search all."""
    name, players = form
    played = played_positions(seed, name=name, players=players, level=level, deals=2)
    for state in played if SEARCHING else islice(played, seed % 5, None, 5):
        again = write_and_read(state)
        assert state_without_irrelevant_parts(state) == state_without_irrelevant_parts(again)
        assert legal_actions(state) == legal_actions(again)
        assert outcome_of(None, (), state) == outcome_of(None, (), again)
        assert write_position(state) == write_position(again)


def test_the_tested_games_reach_every_written_field() -> None:
    missing = {"begun", "joined", "permission", "asked_in", "aside", "result", "drew"}
    for seed in range(40):
        for state in played_positions(seed, players=4, level="random"):
            missing -= write_position(state)["position"].keys()
        if not missing:
            return
    assert not missing


PLACED: Mapping[str, Any] = {
    "turn": 0,
    "phase": "play",
    "hands": {"0": "4s 5h", "1": "6c"},
    "stock": "9c 8d",
    "pile": "4c 5d Kh",
    "melds": {"0": ["7s 7h 7d"], "1": ["Kh Ks Kd 2c"]},
}


def case_with_position(case: Mapping[str, Any] | None = None, **position: Any) -> dict[str, Any]:
    return {**(case or {}), "position": {**PLACED, **position}}


@pytest.mark.parametrize(
    ("case", "field"),
    [
        ({}, "position"),
        ({"position": []}, "position"),
        (case_with_position({"rulez": "classic"}), "rulez"),
        (case_with_position({"rules": "samba!"}), "rules"),
        (case_with_position({"rules": 7}), "rules"),
        (case_with_position({"players": 7}), "players"),
        (case_with_position({"players": "4"}), "players"),
        (case_with_position({"scores": [1600]}), "scores"),
        (case_with_position({"scores": [1600, True]}), "scores"),
        (case_with_position({"scores": 1600}), "scores"),
        (case_with_position({"sides": [[0, 1], [2, 3]]}), "sides"),
        (case_with_position({"sides": [[1, 3], [0, 2]]}), "sides"),
        (case_with_position({"sides": [0, 1]}), "sides.0"),
        (case_with_position({"dealer": 4}), "dealer"),
        (case_with_position({"deal": 0}), "deal"),
        (case_with_position({"options": {"wild_cards": 3}}), "options.wild_cards"),
        (case_with_position({"options": {"players": 2}}), "options.players"),
        (case_with_position({"options": {"out_canastas": "2"}}), "options.out_canastas"),
        (case_with_position({"options": {"out_canastas": True}}), "options.out_canastas"),
        (case_with_position({"options": {"out_canastas": -1}}), "options.out_canastas"),
        (case_with_position({"options": {"frozen_unopened": "yes"}}), "options.frozen_unopened"),
        (case_with_position({"options": {"ask_partner": "always"}}), "options.ask_partner"),
        (case_with_position({"options": {"take_open": "pair"}}), "options.take_open"),
        (case_with_position({"options": {"take_open": ["pair", "two wilds"]}}), "options.take_open.1"),
        (case_with_position({"options": {"red3_values": [100, "200"]}}), "options.red3_values.1"),
        (case_with_position({"options": {"open_table": []}}), "options.open_table"),
        (case_with_position({"options": {"open_table": [[0]]}}), "options.open_table.0"),
        (case_with_position({"options": {"open_table": [[0, 50], ["neg", 15]]}}), "options.open_table.1.0"),
        (case_with_position({"options": {"open_table": [[0, 50], [0, 90]]}}), "options.open_table.1.0"),
        (case_with_position({"options": {"open_table": [[0, "50"]]}}), "options.open_table.0.1"),
        (case_with_position({"options": []}), "options"),
        (case_with_position(turn=4), "position.turn"),
        (case_with_position(turn="0"), "position.turn"),
        (case_with_position(phase="discard"), "position.phase"),
        (case_with_position(hand={"0": "4s"}), "position.hand"),
        (case_with_position(hands={"4": "4s"}), "position.hands.4"),
        (case_with_position(hands={"0": "4s 5x"}), "position.hands.0"),
        (case_with_position(hands={"0": ["4s"]}), "position.hands.0"),
        (case_with_position({"rules": "joker"}, hands={"0": "4s 3h"}), "position.hands.0"),
        (case_with_position(hands=["4s"]), "position.hands"),
        (case_with_position(stock="9c 8"), "position.stock"),
        (case_with_position(pile=12), "position.pile"),
        (case_with_position(frozen="no"), "position.frozen"),
        (case_with_position(melds={"2": ["7s 7h 7d"]}), "position.melds.2"),
        (case_with_position(melds={"0": "7s 7h 7d"}), "position.melds.0"),
        (case_with_position(melds={"0": ["7s 7h 8d"]}), "position.melds.0.0"),
        (case_with_position(melds={"0": ["7s 7h"]}), "position.melds.0.0"),
        (case_with_position(melds={"0": ["7s 2h 2d"]}), "position.melds.0.0"),
        (case_with_position(melds={"0": ["7s 7h 2h 2d 2s JK"]}), "position.melds.0.0"),
        (case_with_position(melds={"0": ["3s 3c 2d"]}), "position.melds.0.0"),
        (case_with_position(melds={"0": ["3h 3d 3h"]}), "position.melds.0.0"),
        (case_with_position(melds={"0": ["7s 7h 7d", "8s 8h 8d", "7c 7c 7d"]}), "position.melds.0.2"),
        (case_with_position(red_threes={"0": "3s"}), "position.red_threes.0"),
        (case_with_position(feet={"0": "4s"}), "position.feet"),
        (case_with_position(threes={"0": "3s"}), "position.threes"),
        (case_with_position(opened={"0": 1}), "position.opened.0"),
        (case_with_position(melded_before=[0, 4]), "position.melded_before.1"),
        (case_with_position(drew="foot"), "position.drew"),
        (case_with_position(phase="draw", drew="pile"), "position.drew"),
        (case_with_position(turns_played=-1), "position.turns_played"),
        (case_with_position(stock_out=4, stock=""), "position.stock_out"),
        (case_with_position(stock_out=3), "position.stock_out"),
        (case_with_position(begun=[1]), "position.begun.0"),
        (case_with_position(asked_in="draw"), "position.asked_in"),
        (case_with_position({"players": 2}, phase="answer"), "position.phase"),
        (case_with_position(result={"reason": "stock"}), "position.result"),
        (case_with_position(phase="over", result={"reason": "out"}), "position.result.went_out"),
        (case_with_position(phase="over", result={"reason": "stock", "went_out": 1}), "position.result.went_out"),
        (case_with_position(complete=True), "position"),
        (case_with_position({"complete": True}), "position"),
        (case_with_position(complete="yes"), "position.complete"),
        ({"deck": "4s 5s"}, "deck"),
    ],
)
def test_a_wrong_value_is_refused_with_its_field(case: Mapping[str, Any], field: str) -> None:
    with pytest.raises(PositionError) as caught:
        read_position(case)
    assert field == caught.value.field


def test_omitted_parts_of_a_position_follow_from_the_rest() -> None:
    state = read_position(case_with_position())
    assert (True, True) == state.opened
    assert frozenset({0, 1, 2, 3}) == state.melded_seats
    assert ("stock", 3, False, 1) == (state.drew, state.dealer, state.frozen, state.deal)


def test_the_sides_of_a_form_may_be_given() -> None:
    assert read_position(case_with_position()) == read_position(case_with_position({"sides": [[0, 2], [3, 1]]}))


@pytest.mark.parametrize(
    ("rules", "players", "sides", "form"),
    [
        ("classic", 6, [[0, 3], [1, 4], [2, 5]], ("classic", "3x2")),
        ("classic", 6, [[0, 2, 4], [1, 3, 5]], ("classic-trios", "2x3")),
        ("classic", 6, [[0, 2], [1, 3]], ("classic-rotating", "3v3")),
        ("bicycle", 3, [[0], [1], [2]], ("bicycle", "solo")),
        ("bicycle", 3, [[0, 2], [1]], ("bicycle-cut-throat", "cut-throat")),
        ("hand-and-foot", 4, [[0], [1], [2], [3]], ("hand-and-foot-alone", "solo")),
        ("hand-and-foot", 6, [[0, 2, 4], [1, 3, 5]], ("hand-and-foot", "2x3")),
        ("hand-and-foot-us", 6, [[0, 2, 4], [1, 3, 5]], ("hand-and-foot-us-trios", "2x3")),
        ("singkep", 4, [[0], [1], [2], [3]], ("singkep-alone", "solo")),
        ("singkep", 5, [[0], [1], [2], [3], [4]], ("singkep-alone", "solo")),
        ("samba", 4, [[0], [1], [2], [3]], ("samba", "solo")),
    ],
)
def test_the_given_sides_decide_the_number_of_players_and_teams(
    rules: str, players: int, sides: list[list[int]], form: tuple[str, str]
) -> None:
    state = read_position({"rules": rules, "players": players, "sides": sides, "position": {"turn": 0}})
    assert form == (state.rules.name, state.rules.teams)
    assert state == read_position(write_position(state))


def test_a_null_in_a_position_counts_as_left_out() -> None:
    assert read_position(case_with_position()) == read_position(
        case_with_position({"options": None, "deck": None}, drew=None, frozen=None)
    )


@pytest.mark.parametrize(("pile", "frozen"), [("4c 5d", False), ("2c 5d", True), ("JK 5d", True), ("3s 5d", False)])
def test_a_pile_with_a_freezing_card_is_frozen_unless_stated_otherwise(pile: str, *, frozen: bool) -> None:
    """`docs/law/classic.md 1.13`"""
    assert frozen is read_position(case_with_position(pile=pile)).frozen
    assert not read_position(case_with_position(pile=pile, frozen=False)).frozen


def test_options_are_read_and_written() -> None:
    options = {
        "ask_partner": "none",
        "freeze_discards": ["B3", "W"],
        "frozen_unopened": False,
        "open_table": [["neg", 0], [0, 50], [2000, 120]],
        "out_canastas": 2,
        "red3_values": [100, 300, 500, 1000],
    }
    state = read_position(case_with_position({"options": options}))
    assert options == write_position(state)["options"]
    assert state.rules == write_and_read(state).rules
    assert [0, 50, 120] == [state.rules.initial_meld_minimum(score) for score in (-5, 1995, 2000)]


def test_a_complete_position_holds_the_whole_pack() -> None:
    state = next(played_positions(1))
    case = write_position(state)
    case["position"]["complete"] = True
    assert state.hands == read_position(case).hands
    case["position"]["pile"] += " 9c"
    with pytest.raises(PositionError, match=r"9c is there \d times, not 2"):
        read_position(case)


def test_the_melds_of_an_unopened_side_were_begun_in_this_turn() -> None:
    melds = {"0": ["Ts Ts Th Th Td Td Tc", "9s 9h 9d"]}
    state = read_position(case_with_position(melds=melds, hands={"0": "4s"}, melded_before=[]))
    assert {meld.kind for meld in state.melds[0]} == state.started
    assert not read_position(case_with_position(melds=melds, hands={"0": "4s"}, melded_before=[2])).started
