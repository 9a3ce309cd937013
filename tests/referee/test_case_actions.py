"""Actions of a case: how they are read, tried and refused, and what follows automatically."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from bot.engine.positions.position_reading import PositionError
from bot.referee.cases import CaseTrial, read_case, try_case
from bot.referee.command import trial_text

PLACED: Mapping[str, Any] = {
    "turn": 0,
    "phase": "play",
    "hands": {"0": "4s 5h 9s 9h 9d", "1": "6c", "2": "7c", "3": "8c"},
    "stock": "9c 8d",
    "pile": "4c 5d Kh",
    "melds": {"0": ["7s 7h 7d", "Js Jh Jd"]},
}


def try_actions(actions: list[Any], expect: Mapping[str, Any] | None = None, **position: Any) -> CaseTrial:
    return try_case(
        read_case(
            {"position": {**PLACED, **position}, "actions": actions, **({} if expect is None else {"expect": expect})}
        )
    )


def action_codes(trial: CaseTrial) -> list[str]:
    return ["ok" if judgement.code is None else judgement.code.value for judgement in trial.judgements]


@pytest.mark.parametrize(
    ("action", "field"),
    [
        ("draw", "actions.0"),
        ({}, "actions.0.do"),
        ({"do": "fold"}, "actions.0.do"),
        ({"do": ["draw"]}, "actions.0.do"),
        ({"do": "draw", "cards": 2}, "actions.0.cards"),
        ({"do": "draw", "card": "4s"}, "actions.0.card"),
        ({"do": "draw", "seat": "0"}, "actions.0.seat"),
        ({"do": "draw", "seat": True}, "actions.0.seat"),
        ({"do": "draw", "expect": True}, "actions.0.expect"),
        ({"do": "meld"}, "actions.0.melds"),
        ({"do": "meld", "melds": "9s 9h 9d"}, "actions.0.melds"),
        ({"do": "meld", "melds": [["9s"]]}, "actions.0.melds.0"),
        ({"do": "meld", "melds": ["9s 9h 9"]}, "actions.0.melds.0"),
        ({"do": "meld", "melds": [{"onto": 0}]}, "actions.0.melds.0.cards"),
        ({"do": "meld", "melds": [{"cards": "9s", "onto": "0"}]}, "actions.0.melds.0.onto"),
        ({"do": "meld", "melds": [{"cards": "9s", "on": 0}]}, "actions.0.melds.0.on"),
        ({"do": "take", "with": ["Kh"]}, "actions.0.with"),
        ({"do": "take", "onto": "kings"}, "actions.0.onto"),
        ({"do": "discard"}, "actions.0.card"),
        ({"do": "discard", "card": "4s 5h"}, "actions.0.card"),
        ({"do": "discard", "card": "1s"}, "actions.0.card"),
        ({"do": "answer"}, "actions.0.yes"),
        ({"do": "answer", "yes": "no"}, "actions.0.yes"),
        ({"do": "combine", "meld": 0}, "actions.0.onto"),
        ({"do": "combine", "onto": 0}, "actions.0.meld"),
        ({"do": "show", "hand": 1}, "actions.0.hand"),
    ],
)
def test_an_action_that_cannot_be_read_is_refused_with_its_field(action: Any, field: str) -> None:
    with pytest.raises(PositionError) as caught:
        try_actions([action])
    assert field == caught.value.field


def test_a_refused_action_changes_nothing_and_the_next_is_tried() -> None:
    trial = try_actions([{"do": "meld", "melds": ["9s 9h"]}, {"do": "meld", "melds": ["9s 9h 9d"]}])
    assert ["meld_too_small", "ok"] == action_codes(trial)


def test_cards_are_read_in_upper_and_lower_case() -> None:
    assert ["ok", "ok"] == action_codes(
        try_actions([{"do": "meld", "melds": ["9S 9H 9D"]}, {"do": "discard", "card": "4S"}])
    )


def test_an_omitted_seat_is_the_seat_to_act() -> None:
    trial = try_actions(
        [{"do": "discard", "card": "4s"}, {"do": "draw"}, {"seat": 0, "do": "draw"}, {"seat": 9, "do": "draw"}]
    )
    assert ["ok", "ok", "not_your_turn", "not_a_player"] == action_codes(trial)


def test_a_meld_may_be_named_by_its_number() -> None:
    hands = {"0": "4s 5h 7c 2s 2h"}
    melds = [{"cards": "2s", "onto": 1}, {"cards": "7c 2h", "onto": 0}]
    trial = try_actions([{"do": "meld", "melds": melds}], hands=hands)
    assert {"0": ["7s 7h 7d 7c 2h", "Js Jh Jd 2s"], "1": []} == trial.outcome()["position"]["melds"]
    assert ["meld_wrong_target"] == action_codes(
        try_actions([{"do": "meld", "melds": [{"cards": "7c", "onto": 1}]}], hands=hands)
    )


@pytest.mark.parametrize(
    ("onto", "code"), [(None, "ok"), (1, "ok"), (0, "meld_wrong_target"), (2, "meld_wrong_target")]
)
def test_the_meld_that_the_top_card_joins_may_be_named(onto: int | None, code: str) -> None:
    take = {"do": "take"} if onto is None else {"do": "take", "onto": onto}
    assert [code] == action_codes(try_actions([take], phase="draw", pile="4c 5d Jc"))


@pytest.mark.parametrize(("do", "code"), [("announce", "announce_off"), ("show", "no_special_hands")])
def test_an_action_that_the_rules_of_the_case_lack_is_refused(do: str, code: str) -> None:
    assert [code, "not_your_turn"] == action_codes(try_actions([{"seat": 0, "do": do}, {"seat": 1, "do": do}]))


def test_the_action_stop_scores_the_deal_as_it_is() -> None:
    outcome = try_actions([{"do": "stop"}, {"do": "stop"}, {"seat": 0, "do": "discard", "card": "4s"}]).outcome()
    assert [True, False, False] == [step["ok"] for step in outcome["steps"]]
    assert (True, None, [45 - 40 - 5, -15]) == (outcome["deal_over"], outcome["went_out"], outcome["deal_scores"])


def test_the_action_stop_ends_the_game_if_a_side_has_won() -> None:
    case = {"scores": [5000, 4000], "position": PLACED, "actions": [{"do": "stop"}, {"do": "stop"}]}
    trial = try_case(read_case(case))
    outcome = trial.outcome()
    assert (True, 0) == (outcome["game_over"], outcome["winner"])
    assert ["ok", "game_over"] == action_codes(trial)


@pytest.mark.parametrize(
    ("pile", "hand", "over"),
    [("4c 5d Kh", "4s 5h", True), ("4c Jc", "4s 5h", False), ("4c Kh", "Ks Kd 4s", False), ("", "4s 5h", True)],
)
def test_with_the_stock_out_and_nothing_to_take_the_deal_ends_by_itself(pile: str, hand: str, *, over: bool) -> None:
    """Source: `docs/law/classic.md 1.19`."""
    trial = try_actions([{"seat": 0, "do": "pass"}], phase="draw", stock="", pile=pile, hands={"0": hand})
    assert over is try_actions([], phase="draw", stock="", pile=pile, hands={"0": hand}).outcome()["deal_over"]
    assert ("no_deal" in action_codes(trial)) is over


def test_every_line_of_the_score_is_listed_and_they_add_up() -> None:
    outcome = try_actions([{"do": "stop"}], red_threes={"0": "3h 3d", "1": "3h"}).outcome()
    names = {
        *("natural_canastas", "mixed_canastas", "other_canastas", "red_threes", "going_out"),
        *("melded", "in_hand", "penalties", "bonuses"),
    }
    assert [names, names] == [set(lines) for lines in outcome["breakdown"]]
    assert outcome["deal_scores"] == [sum(lines.values()) for lines in outcome["breakdown"]]


def test_a_refusal_has_code_numbers_words_and_paragraph() -> None:
    steps = try_actions([{"seat": 0, "do": "discard", "card": "kh"}, {"seat": 1, "do": "draw"}]).outcome()["steps"]
    assert {"card": "Kh", "held": 0, "needed": 1} == steps[0]["detail"]
    assert "You hold 0 of Kh; that needs 1. (rules 1.9)" == steps[0]["message"]
    assert "It is seat 0's turn. (rules 1.5)" == steps[1]["message"]


# --- expectations ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expect", "holds"),
    [("ok", True), ("illegal", False), ("meld_too_small", False), ("no such code", False)],
)
def test_expectations_about_an_allowed_action_are_checked(expect: str, *, holds: bool) -> None:
    trial = try_actions([{"do": "meld", "melds": ["9s 9h 9d"], "expect": expect}])
    assert holds is (trial.failures() == [])


@pytest.mark.parametrize(
    ("expect", "holds"),
    [("ok", False), ("illegal", True), ("meld_too_small", True), ("meld_no_rank", False)],
)
def test_expectations_about_a_refused_action_are_checked(expect: str, *, holds: bool) -> None:
    assert holds is (try_actions([{"do": "meld", "melds": ["9s 9h"], "expect": expect}]).failures() == [])


@pytest.mark.parametrize(
    "expect",
    [
        {},
        {"deal_over": False, "went_out": None, "breakdown": None, "scores": [0, 0]},
        {"position": {"hands": {"0": "9d 9h 9S 5h 4s", "3": "8c"}}},
        {"position": {"melds": {"0": ["Jd Jh Js", "7d 7s 7h"]}, "stock": "9C 8d", "pile": "4c 5d Kh"}},
        {"position": {"opened": {"0": True}, "melded_before": [2, 0], "feet": None}},
        {"initial_meld_minimum": [50, 50], "steps": []},
    ],
)
def test_an_expectation_that_holds_is_reported_as_met(expect: Mapping[str, Any]) -> None:
    assert [] == try_actions([], expect).failures()


@pytest.mark.parametrize(("exposed", "failures"), [("4h 9d 4s", 0), ("9d 4s 4h", 0), ("4h 4s", 1)])
def test_penalty_cards_are_expected_in_any_order(exposed: str, failures: int) -> None:
    data = {
        "options": {"penalties": "laws"},
        "position": {**PLACED, "hands": {"0": "4s 4h 9d 5h"}, "penalties": {"exposed": {"0": "4s 4h 9d"}}},
        "expect": {"position": {"penalties": {"exposed": {"0": exposed}}}},
    }
    assert failures == len(try_case(read_case(data)).failures())


@pytest.mark.parametrize(
    ("action", "text"),
    [
        ({"do": "combine", "meld": 0, "onto": 1}, "Seat 0 puts meld 0 together with meld 1."),
        ({"do": "reclaim", "onto": 1}, "Seat 0 takes the wild cards of meld 1 back."),
    ],
)
def test_melds_named_by_number_are_shown(action: dict[str, Any], text: str) -> None:
    assert text in trial_text(try_actions([{"seat": 0, **action}]), "a file")


@pytest.mark.parametrize(
    ("expect", "failure"),
    [
        ({"deal_over": True}, "expect.deal_over: expected true, got false"),
        ({"deal_over": 0}, "expect.deal_over: expected 0, got false"),
        ({"scores": [0, 5]}, "expect.scores.1: expected 5, got 0"),
        ({"scores": [0]}, "expect.scores: expected [0], got [0, 0]"),
        ({"position": {"stock": "8d 9c"}}, "expect.position.stock: expected '8d 9c', got '9c 8d'"),
        ({"position": {"hands": {"3": ""}}}, "expect.position.hands.3: expected '', got '8c'"),
        ({"position": {"melds": {"0": []}}}, "expect.position.melds.0: expected [], got ['7s 7h 7d', 'Js Jh Jd']"),
        ({"position": {"feet": {"0": ""}}}, "expect.position.feet: expected {'0': ''}, got null"),
        ({"breakdown": [{}, {}]}, "expect.breakdown: expected [{}, {}], got null"),
    ],
)
def test_an_expectation_that_does_not_hold_is_reported_as_failed(expect: Mapping[str, Any], failure: str) -> None:
    assert [failure] == try_actions([], expect).failures()


@pytest.mark.parametrize(
    ("expect", "field"),
    [
        ([], "expect"),
        ({"deal-over": True}, "expect.deal-over"),
        ({"position": {"stock": "8x"}}, "expect.position.stock"),
        ({"position": {"hands": {"0": 5}}}, "expect.position.hands.0"),
        ({"position": {"melds": {"0": "7s 7h 7d"}}}, "expect.position.melds.0"),
        ({"position": {"red_threes": []}}, "expect.position.red_threes"),
        ({"position": {"penalties": {"exposed": {"0": "5x"}}}}, "expect.position.penalties.exposed.0"),
    ],
)
def test_an_expectation_that_cannot_be_read_is_refused_with_its_field(expect: Any, field: str) -> None:
    with pytest.raises(PositionError) as caught:
        try_actions([], expect)
    assert field == caught.value.field
