"""Brackets match by match: the pairings of single and double eliminations of 7, 9, 13 and 16."""

from __future__ import annotations

import pytest

from bot.tournaments.brackets.bracket import build_bracket
from bot.tournaments.brackets.bracket_slots import BracketPart, RoundLabel, seed_order
from bot.tournaments.brackets.results import BracketTerms, SlotOutcome, SlotProgress
from bot.tournaments.counted_results import ResultKind
from bot.tournaments.format_traits import FormatKind
from tests.tournaments.brackets.bracket_play import (
    DOUBLE,
    SINGLE,
    final_places,
    lower_number_wins_except,
    numbers_of_entries,
    play_bracket,
    stages_with_pairings,
)


def test_a_seeded_bracket_keeps_the_best_entries_apart_until_the_end() -> None:
    assert (1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11) == seed_order(4)


def test_a_single_elimination_of_sixteen_has_the_expected_pairings() -> None:
    assert [
        ("W1", "1–16 8–9 4–13 5–12 2–15 7–10 3–14 6–11"),
        ("W2", "1–8 4–5 2–7 3–6"),
        ("W3", "1–4 2–3"),
        ("P3+F", "4–3 1–2"),
    ] == stages_with_pairings(SINGLE, 16)


def test_in_a_single_elimination_of_thirteen_the_best_three_have_byes() -> None:
    assert [
        ("W1", "8–9 4–13 5–12 7–10 6–11"),
        ("W2", "1–8 4–5 2–7 3–6"),
        ("W3", "1–4 2–3"),
        ("P3+F", "4–3 1–2"),
    ] == stages_with_pairings(SINGLE, 13)


def test_a_single_elimination_of_nine_begins_with_one_match() -> None:
    assert [
        ("W1", "8–9"),
        ("W2", "1–8 4–5 2–7 3–6"),
        ("W3", "1–4 2–3"),
        ("P3+F", "4–3 1–2"),
    ] == stages_with_pairings(SINGLE, 9)


def test_a_single_elimination_of_seven_has_the_expected_pairings() -> None:
    assert [("W1", "4–5 2–7 3–6"), ("W2", "1–4 2–3"), ("P3+F", "4–3 1–2")] == stages_with_pairings(SINGLE, 7)


def test_a_double_elimination_of_sixteen_has_the_expected_pairings() -> None:
    assert [
        ("W1", "1–16 8–9 4–13 5–12 2–15 7–10 3–14 6–11"),
        ("W2+L1", "1–8 4–5 2–7 3–6 16–9 13–12 15–10 14–11"),
        ("L2", "7–9 6–12 8–10 5–11"),
        ("W3+L3", "1–4 2–3 7–6 8–5"),
        ("L4", "4–6 3–5"),
        ("W4+L5", "1–2 4–3"),
        ("L6", "2–3"),
        ("F", "1–2"),
    ] == stages_with_pairings(DOUBLE, 16)


def test_a_double_elimination_of_thirteen_has_the_expected_pairings() -> None:
    assert [
        ("W1", "8–9 4–13 5–12 7–10 6–11"),
        ("W2+L1", "1–8 4–5 2–7 3–6 13–12"),
        ("L2", "7–9 6–12 8–10 5–11"),
        ("W3+L3", "1–4 2–3 7–6 8–5"),
        ("L4", "4–6 3–5"),
        ("W4+L5", "1–2 4–3"),
        ("L6", "2–3"),
        ("F", "1–2"),
    ] == stages_with_pairings(DOUBLE, 13)


def test_a_bye_among_losers_is_passed_on_in_a_double_of_nine() -> None:
    assert [
        ("W1", "8–9"),
        ("W2", "1–8 4–5 2–7 3–6"),
        ("L2", "7–9"),
        ("W3+L3", "1–4 2–3 7–6 8–5"),
        ("L4", "4–6 3–5"),
        ("W4+L5", "1–2 4–3"),
        ("L6", "2–3"),
        ("F", "1–2"),
    ] == stages_with_pairings(DOUBLE, 9)
    bracket, _ = play_bracket(DOUBLE, 9, lower_number_wins_except({}))
    assert [SlotProgress.BYE, SlotProgress.EMPTY, SlotProgress.EMPTY, SlotProgress.EMPTY] == [
        bracket.slot_state(f"L1.{slot}").state for slot in range(1, 5)
    ]
    assert (8, SlotProgress.BYE) == (bracket.slot_state("L2.3").winner, bracket.slot_state("L2.3").state)


def test_a_double_elimination_of_seven_has_the_expected_pairings() -> None:
    assert [
        ("W1", "4–5 2–7 3–6"),
        ("W2+L1", "1–4 2–3 7–6"),
        ("L2", "3–5 4–6"),
        ("W3+L3", "1–2 3–4"),
        ("L4", "2–3"),
        ("F", "1–2"),
    ] == stages_with_pairings(DOUBLE, 7)


def test_the_undefeated_entry_is_out_only_after_two_losses() -> None:
    lost = {"F": SlotOutcome(sides=(1, 2), winner=2)}
    assert [("F", "1–2"), ("F2", "1–2")] == stages_with_pairings(DOUBLE, 16, lower_number_wins_except(lost))[-2:]
    bracket, results = play_bracket(DOUBLE, 16, lower_number_wins_except(lost))
    assert (1, {1: (1, 1), 2: (2, 2)}) == (
        bracket.main.champion,
        {entry: final_places(bracket)[entry] for entry in (1, 2)},
    )
    results["F2"] = SlotOutcome(sides=(1, 2), winner=2)
    assert 2 == build_bracket(DOUBLE, numbers_of_entries(16), results=results).main.champion


def test_the_challenger_who_loses_the_final_has_lost_twice() -> None:
    bracket, _ = play_bracket(DOUBLE, 16, lower_number_wins_except({}))
    assert (1, SlotProgress.EMPTY) == (bracket.main.champion, bracket.slot_state("F2").state)
    assert 8 == len(bracket.stages)


def test_places_are_shared_by_those_who_went_out_together() -> None:
    bracket, _ = play_bracket(SINGLE, 13, lower_number_wins_except({}))
    expected = {1: (1, 1), 2: (2, 2), 3: (3, 3), 4: (4, 4)}
    expected |= dict.fromkeys(range(5, 9), (5, 8)) | dict.fromkeys(range(9, 14), (9, 13))
    assert expected == final_places(bracket)
    assert list(range(1, 14)) == [placed.entry for placed in bracket.main.places]


def test_semifinal_losers_share_third_place_without_a_match_for_it() -> None:
    bracket, _ = play_bracket(BracketTerms(third_place=False), 8, lower_number_wins_except({}))
    assert {3: (3, 4), 4: (3, 4)} == {entry: final_places(bracket)[entry] for entry in (3, 4)}


def test_places_are_final_as_soon_as_no_entry_can_share_them() -> None:
    _, results = play_bracket(SINGLE, 8, lower_number_wins_except({}))
    del results["P3"]
    without_third = build_bracket(SINGLE, numbers_of_entries(8), results=results)
    assert {1: (1, 1), 2: (2, 2)} | dict.fromkeys(range(5, 9), (5, 8)) == final_places(without_third)
    assert (1, False) == (without_third.main.champion, without_third.is_over)
    begun = {slot: results[slot] for slot in ("W1.1", "W1.2", "W1.3")}
    assert {} == final_places(build_bracket(SINGLE, numbers_of_entries(8), results=begun))


def test_after_a_double_forfeit_both_are_out_and_the_next_one_advances() -> None:
    nobody = {"W2.1": SlotOutcome(sides=(1, 8), winner=None, kind=ResultKind.DOUBLE_FORFEIT)}
    assert ("W3", "2–3") == stages_with_pairings(SINGLE, 16, lower_number_wins_except(nobody))[2]
    bracket, _ = play_bracket(SINGLE, 16, lower_number_wins_except(nobody))
    assert (4, SlotProgress.BYE) == (bracket.slot_state("W3.1").winner, bracket.slot_state("W3.1").state)
    expected = {2: (1, 1), 4: (2, 2), 3: (3, 3)} | dict.fromkeys((1, 5, 6, 7, 8), (4, 8))
    assert expected == {entry: place for entry, place in final_places(bracket).items() if entry < 9}


def test_after_a_double_forfeit_neither_entry_plays_in_the_lower_half() -> None:
    nobody = {"W1.1": SlotOutcome(sides=(1, 16), winner=None, kind=ResultKind.DOUBLE_FORFEIT)}
    found = stages_with_pairings(DOUBLE, 16, lower_number_wins_except(nobody))
    assert ("W2+L1", "4–5 2–7 3–6 13–12 15–10 14–11") == found[1]
    bracket, _ = play_bracket(DOUBLE, 16, lower_number_wins_except(nobody))
    assert {1: (12, 16), 16: (12, 16)} == {entry: final_places(bracket)[entry] for entry in (1, 16)}


def test_a_double_forfeit_in_the_final_leaves_no_champion() -> None:
    nobody = {"F": SlotOutcome(sides=(1, 2), winner=None, kind=ResultKind.DOUBLE_FORFEIT)}
    for terms in (SINGLE, DOUBLE):
        bracket, _ = play_bracket(terms, 8, lower_number_wins_except(nobody))
        assert (True, None) == (bracket.is_over, bracket.main.champion)
        assert {1: (1, 2), 2: (1, 2)} == {entry: final_places(bracket)[entry] for entry in (1, 2)}


def test_every_round_of_a_bracket_has_its_part_label_and_number() -> None:
    bracket = build_bracket(DOUBLE, numbers_of_entries(16), results={})
    named = {view.slot.group: (view.slot.part, view.slot.label, view.slot.round) for view in bracket.slot_states}
    assert {
        "W1": (BracketPart.UPPER, RoundLabel.ROUND, 1),
        "W2": (BracketPart.UPPER, RoundLabel.QUARTERFINAL, 2),
        "W3": (BracketPart.UPPER, RoundLabel.SEMIFINAL, 3),
        "W4": (BracketPart.UPPER, RoundLabel.FINAL, 4),
        **{f"L{number}": (BracketPart.LOWER, RoundLabel.ROUND, number) for number in range(1, 6)},
        "L6": (BracketPart.LOWER, RoundLabel.FINAL, 6),
        "F": (BracketPart.MAIN, RoundLabel.FINAL, 1),
        "F2": (BracketPart.MAIN, RoundLabel.FINAL_AGAIN, 2),
    } == named
    assert (
        RoundLabel.THIRD_PLACE == build_bracket(SINGLE, numbers_of_entries(4), results={}).slot_state("P3").slot.label
    )


def test_the_number_of_rounds_is_known_at_the_start() -> None:
    assert (4, 8) == tuple(
        len(build_bracket(terms, numbers_of_entries(16), results={}).stages) for terms in (SINGLE, DOUBLE)
    )
    bracket = build_bracket(SINGLE, numbers_of_entries(16), results={})
    assert bracket.due_stage == bracket.stages[0]
    assert [1, 2, 3, 4] == [stage.number for stage in bracket.stages]


def test_a_single_entry_wins_at_once() -> None:
    for terms in (SINGLE, DOUBLE):
        bracket = build_bracket(terms, [7], results={})
        assert (True, 7, {7: (1, 1)}, None) == (
            bracket.is_over,
            bracket.main.champion,
            final_places(bracket),
            bracket.due_stage,
        )


def test_an_invalid_bracket_is_refused() -> None:
    for seeds in ([], [1, 2, 1]):
        with pytest.raises(ValueError, match="entries"):
            build_bracket(SINGLE, seeds, results={})
    with pytest.raises(ValueError, match="no elimination"):
        BracketTerms(kind=FormatKind.SWISS)
    with pytest.raises(KeyError):
        build_bracket(SINGLE, numbers_of_entries(4), results={}).slot_state("W9.1")


@pytest.mark.parametrize(
    ("sides", "winner", "kind"),
    [((1, 1), 1, ResultKind.PLAYED), ((1, 2), 3, ResultKind.PLAYED), ((1, 2), 1, ResultKind.VOID)],
)
def test_an_invalid_result_is_refused(sides: tuple[int, int], winner: int, kind: ResultKind) -> None:
    with pytest.raises(ValueError, match="no result"):
        SlotOutcome(sides=sides, winner=winner, kind=kind)
