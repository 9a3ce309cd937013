"""Drawn brackets: every slot once, each next to the slots whose winners it receives."""

from __future__ import annotations

import pytest

from bot.tournaments.brackets.bracket import bracket
from bot.tournaments.brackets.bracket_slots import Part, Take
from bot.tournaments.brackets.drawn_trees import trees
from bot.tournaments.brackets.results import Outcome, Terms
from tests.tournaments.brackets.bracket_play import (
    CHANCE,
    DOUBLE,
    SINGLE,
    entry_numbers,
    lower_number_wins_except,
    play_bracket,
)


def column_widths(terms: Terms, entries: int, given: dict[str, Outcome]) -> dict[Part, list[tuple[str, int]]]:
    shown, _ = play_bracket(terms, entries, lower_number_wins_except(given))
    return {tree.part: [(column.group, len(column.looks)) for column in tree.columns] for tree in trees(shown)}


def test_a_single_is_one_tree_with_third_place_behind_it() -> None:
    assert {Part.MAIN: [("W1", 4), ("W2", 2), ("F", 1), ("P3", 1)]} == column_widths(SINGLE, 7, {})


def test_a_double_has_two_halves_and_its_finals() -> None:
    halves = {
        Part.UPPER: [("W1", 4), ("W2", 2), ("W3", 1)],
        Part.LOWER: [("L1", 2), ("L2", 2), ("L3", 1), ("L4", 1)],
    }
    assert halves | {Part.MAIN: [("F", 1)]} == column_widths(DOUBLE, 8, {})
    again = {"F": Outcome(sides=(1, 2), winner=2)}
    assert halves | {Part.MAIN: [("F", 1), ("F2", 1)]} == column_widths(DOUBLE, 8, again)


def test_a_repeated_final_is_not_drawn_before_it_is_needed() -> None:
    (*_, finals) = trees(bracket(DOUBLE, entry_numbers(8), results={}))
    assert ["F"] == [column.group for column in finals.columns]


def test_the_second_chance_is_a_tree_of_its_own() -> None:
    assert [("S1", 2), ("S2", 1)] == column_widths(CHANCE, 8, {})[Part.SECOND]


@pytest.mark.parametrize("terms", [SINGLE, DOUBLE, CHANCE], ids=["single", "double", "second"])
@pytest.mark.parametrize("entries", [2, 3, 7, 16, 33])
def test_winners_come_from_the_column_before_at_their_height(terms: Terms, entries: int) -> None:
    shown, _ = play_bracket(terms, entries, lower_number_wins_except({}))
    drawn = [look for tree in trees(shown) for column in tree.columns for look in column.looks]
    assert {look.slot.name for look in shown.looks} - {"F2"} == {look.slot.name for look in drawn}
    for tree in trees(shown):
        for before, column in zip(tree.columns, tree.columns[1:], strict=False):
            names = [look.slot.name for look in before.looks]
            receiving = [
                names.index(source.slot)
                for look in column.looks
                for source in look.slot.sources
                if source.take is Take.WINNER and source.slot in names
            ]
            assert sorted(receiving) == receiving
