"""The second chance: its entries, its draw and its pairings (`docs/tournaments.md` 3)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.tournaments.brackets.bracket import Bracket, build_bracket
from bot.tournaments.brackets.bracket_slots import BracketPart, RoundLabel
from bot.tournaments.brackets.results import BracketTerms, Draw, SlotOutcome
from bot.tournaments.brackets.voided_matches import repair_bracket
from bot.tournaments.counted_results import ResultKind
from bot.tournaments.format_traits import FormatKind
from tests.tournaments.brackets.bracket_play import (
    CHANCE,
    lower_number_wins_except,
    numbers_of_entries,
    play_bracket,
    random_results,
    reverse_draw,
    stages_with_pairings,
)


def outcome_of_forfeit(winner: int, loser: int) -> SlotOutcome:
    return SlotOutcome(sides=(winner, loser), winner=winner, kind=ResultKind.FORFEIT)


def second_chance_entries(bracket: Bracket) -> tuple[int, ...]:
    assert bracket.second is not None
    return bracket.second.entries


def test_of_eight_the_first_losers_play_during_the_semifinals() -> None:
    assert [
        ("W1", "1–8 4–5 2–7 3–6"),
        ("W2+S1", "1–4 2–3 6–8 7–5"),
        ("F+S2", "1–2 6–5"),
    ] == stages_with_pairings(CHANCE, 8)
    bracket, _ = play_bracket(CHANCE, 8, lower_number_wins_except({}))
    assert bracket.second is not None
    assert (5, (6, 7, 5, 8)) == (bracket.second.champion, bracket.second.entries)
    assert [(5, 1, 1), (6, 2, 2), (7, 3, 4), (8, 3, 4)] == [
        (placed.entry, placed.first, placed.last) for placed in bracket.second.places
    ]


def test_an_entry_that_loses_after_a_bye_gets_a_second_chance() -> None:
    upset = {"W2.2": SlotOutcome(sides=(4, 5), winner=5)}
    found = stages_with_pairings(CHANCE, 9, lower_number_wins_except(upset))
    assert ("W3+S1", "1–5 2–3 6–9 7–4") == found[2]
    bracket, _ = play_bracket(CHANCE, 9, lower_number_wins_except(upset))
    assert (6, 7, 4, 9) == second_chance_entries(bracket)


def test_the_second_chance_is_drawn_when_its_last_entry_is_known() -> None:
    results = {"W1.2": SlotOutcome(sides=(8, 9), winner=9)}
    for slot, sides in (("W2.1", (1, 9)), ("W2.2", (4, 5)), ("W2.3", (2, 7))):
        results[slot] = SlotOutcome(sides=sides, winner=sides[0])
    assert build_bracket(CHANCE, numbers_of_entries(9), results=results, draw=reverse_draw).second is None
    results["W2.4"] = SlotOutcome(sides=(3, 6), winner=3)
    assert (6, 7, 5, 8) == second_chance_entries(
        build_bracket(CHANCE, numbers_of_entries(9), results=results, draw=reverse_draw)
    )


def test_a_forfeit_counts_as_unplayed_and_its_loser_gets_no_second_chance() -> None:
    results = {"W1.1": outcome_of_forfeit(8, 1), "W2.1": SlotOutcome(sides=(8, 4), winner=4)}
    bracket, _ = play_bracket(CHANCE, 8, lower_number_wins_except(results))
    assert (8, 6, 7, 5) == second_chance_entries(bracket)
    assert ("F+S1", "4–2 8–5 6–7") == stages_with_pairings(CHANCE, 8, lower_number_wins_except(results))[2]


def test_the_draw_waits_for_entries_that_have_won_without_playing() -> None:
    results = {slot: SlotOutcome(sides=sides, winner=sides[0]) for slot, sides in (("W1.2", (4, 5)), ("W1.3", (2, 7)))}
    results |= {"W1.1": outcome_of_forfeit(1, 8), "W1.4": SlotOutcome(sides=(3, 6), winner=3)}
    bracket = build_bracket(CHANCE, numbers_of_entries(8), results=results, draw=reverse_draw)
    assert (None, "W2") == (bracket.second, bracket.due_stage.name if bracket.due_stage else "")


def test_after_a_double_forfeit_neither_gets_a_second_chance() -> None:
    nobody = {"W1.1": SlotOutcome(sides=(1, 8), winner=None, kind=ResultKind.DOUBLE_FORFEIT)}
    bracket, _ = play_bracket(CHANCE, 8, lower_number_wins_except(nobody))
    assert {5, 6, 7} == set(second_chance_entries(bracket))


def test_third_place_players_do_not_play_the_second_chance_too() -> None:
    terms = BracketTerms(third_place=True, second_chance=True)
    found, _ = play_bracket(terms, 4, lower_number_wins_except({}))
    assert found.second is None
    bracket, _ = play_bracket(terms, 7, lower_number_wins_except({"W2.1": SlotOutcome(sides=(1, 4), winner=4)}))
    assert {5, 6, 7} == set(second_chance_entries(bracket))


def test_a_double_elimination_has_no_separate_second_chance() -> None:
    bracket, _ = play_bracket(BracketTerms(kind=FormatKind.DOUBLE, second_chance=True), 8, lower_number_wins_except({}))
    assert bracket.second is None


def test_a_changed_winner_changes_one_side_of_the_second_chance() -> None:
    _, results = play_bracket(CHANCE, 16, lower_number_wins_except({}))
    begun = {slot: outcome for slot, outcome in results.items() if slot[:2] in {"W1", "S1"}}
    changed = begun | {"W1.1": SlotOutcome(sides=(1, 16), winner=16, kind=ResultKind.ADJUSTED)}
    mending = repair_bracket(CHANCE, numbers_of_entries(16), results=changed, draw=reverse_draw)
    with_sixteen = [slot for slot, outcome in begun.items() if slot[:2] == "S1" and 16 in outcome.sides]
    assert tuple(with_sixteen) == mending.void
    (replayed,) = (fixture for fixture in mending.ready if fixture.slot in mending.void)
    assert set(begun[replayed.slot].sides) - {16} | {1} == set(replayed.sides)


@given(st.integers(2, 33), st.integers(0, 2**32))
def test_only_losers_of_their_first_played_match_get_a_second_chance(entries: int, chance: int) -> None:
    bracket, results = play_bracket(CHANCE, entries, random_results(Random(chance), forfeits=0.25))
    losers: set[int] = set()
    have_played: set[int] = set()
    met: set[frozenset[int]] = set()
    for view in bracket.slot_states:
        outcome = results.get(view.slot.name)
        if outcome is None or outcome.kind is not ResultKind.PLAYED or view.slot.part is BracketPart.SECOND:
            continue
        losers |= {entry for entry in outcome.sides if entry != outcome.winner} - have_played
        have_played |= set(outcome.sides)
        met.add(frozenset(outcome.sides))
    assert losers == (set(bracket.second.entries) if bracket.second else set())
    first_round = [
        view for view in bracket.slot_states if view.slot.part is BracketPart.SECOND and view.slot.round == 1
    ]
    assert not met & {frozenset(view.known_entries) for view in first_round}
    if bracket.second is not None:
        assert sorted(losers) == sorted(placed.entry for placed in bracket.second.places)


def test_rounds_of_the_second_chance_are_labelled_within_it() -> None:
    bracket, _ = play_bracket(CHANCE, 16, lower_number_wins_except({}))
    named = [(view.slot.label, view.slot.round) for view in bracket.slot_states if view.slot.part is BracketPart.SECOND]
    assert [RoundLabel.QUARTERFINAL, RoundLabel.SEMIFINAL, RoundLabel.FINAL] == list(
        dict.fromkeys(label for label, _ in named)
    )


def numbers_without_first(numbers: Sequence[int]) -> Sequence[int]:
    return numbers[1:]


@pytest.mark.parametrize("draw", [None, numbers_without_first])
def test_a_draw_must_contain_all_entries_of_the_second_chance(draw: Draw | None) -> None:
    results = {"F": SlotOutcome(sides=(1, 2), winner=1)}
    with pytest.raises(ValueError, match="draw"):
        build_bracket(CHANCE, numbers_of_entries(2), results=results, draw=draw)
