"""Drawn brackets: every slot once, each next to the slots whose winners it receives."""

from __future__ import annotations

import pytest

from bot.tournaments.brackets.bracket import build_bracket
from bot.tournaments.brackets.bracket_slots import BracketPart, SourceEntry
from bot.tournaments.brackets.bracket_trees import bracket_trees
from bot.tournaments.brackets.results import BracketTerms, SlotOutcome
from tests.tournaments.brackets.bracket_play import (
    CHANCE,
    DOUBLE,
    SINGLE,
    lower_number_wins_except,
    numbers_of_entries,
    play_bracket,
)


def column_widths(
    terms: BracketTerms, entries: int, results: dict[str, SlotOutcome]
) -> dict[BracketPart, list[tuple[str, int]]]:
    bracket, _ = play_bracket(terms, entries, lower_number_wins_except(results))
    return {
        tree.part: [(column.group, len(column.slot_states)) for column in tree.columns]
        for tree in bracket_trees(bracket)
    }


def test_a_single_elimination_is_one_tree_with_third_place_last() -> None:
    assert {BracketPart.MAIN: [("W1", 4), ("W2", 2), ("F", 1), ("P3", 1)]} == column_widths(SINGLE, 7, {})


def test_a_double_elimination_has_two_halves_and_finals() -> None:
    halves = {
        BracketPart.UPPER: [("W1", 4), ("W2", 2), ("W3", 1)],
        BracketPart.LOWER: [("L1", 2), ("L2", 2), ("L3", 1), ("L4", 1)],
    }
    assert halves | {BracketPart.MAIN: [("F", 1)]} == column_widths(DOUBLE, 8, {})
    again = {"F": SlotOutcome(sides=(1, 2), winner=2)}
    assert halves | {BracketPart.MAIN: [("F", 1), ("F2", 1)]} == column_widths(DOUBLE, 8, again)


def test_a_repeated_final_is_not_drawn_before_it_is_needed() -> None:
    (*_, finals) = bracket_trees(build_bracket(DOUBLE, numbers_of_entries(8), results={}))
    assert ["F"] == [column.group for column in finals.columns]


def test_the_second_chance_is_a_tree_of_its_own() -> None:
    assert [("S1", 2), ("S2", 1)] == column_widths(CHANCE, 8, {})[BracketPart.SECOND]


@pytest.mark.parametrize("terms", [SINGLE, DOUBLE, CHANCE], ids=["single", "double", "second"])
@pytest.mark.parametrize("entries", [2, 3, 7, 16, 33])
def test_winners_keep_their_vertical_order_from_column_to_column(terms: BracketTerms, entries: int) -> None:
    bracket, _ = play_bracket(terms, entries, lower_number_wins_except({}))
    drawn = [view for tree in bracket_trees(bracket) for column in tree.columns for view in column.slot_states]
    assert {view.slot.name for view in bracket.slot_states} - {"F2"} == {view.slot.name for view in drawn}
    for tree in bracket_trees(bracket):
        for before, column in zip(tree.columns, tree.columns[1:], strict=False):
            names = [view.slot.name for view in before.slot_states]
            receiving = [
                names.index(source.slot)
                for view in column.slot_states
                for source in view.slot.sources
                if source.take is SourceEntry.WINNER and source.slot in names
            ]
            assert sorted(receiving) == receiving
