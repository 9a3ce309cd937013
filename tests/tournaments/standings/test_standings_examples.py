"""The worked examples A and C of `docs/tournaments.md` 4 give every printed figure."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.tournaments.format_traits import FormatKind
from bot.tournaments.standings.changed_places import PlaceChange, ReversedResult, changes_between
from bot.tournaments.standings.rows import StandingsRow, standings, tiebreaks
from tests.support.tournament_examples import (
    Printed,
    format_figure,
    letters_of_entries,
    printed_standings_of_example_a,
    round_robin_example,
    swiss_example,
    wins_in_example_a,
)


def printed_row(row: StandingsRow) -> Printed:
    figures = row.figures
    assert figures.bc1 is not None
    assert figures.sb is not None
    return (
        row.place,
        row.entry,
        row.points,
        figures.h2h,
        format_figure(figures.bc1),
        format_figure(figures.sb),
        format_figure(figures.net),
    )


@pytest.mark.parametrize("after_round", [1, 2, 3, 4, 5])
def test_example_a_has_the_printed_figures_after_each_round(after_round: int) -> None:
    assert printed_standings_of_example_a(after_round) == [
        printed_row(row) for row in standings(swiss_example(), after_round)
    ]


def test_example_a_counts_wins_at_tables() -> None:
    assert wins_in_example_a() == {row.entry: row.figures.wins for row in standings(swiss_example())}


def test_example_a_penalties_are_taken_off_from_their_round_on() -> None:
    points = {after: {row.entry: row.points for row in standings(swiss_example(), after)}[8] for after in (2, 3)}
    assert {2: 2, 3: 1} == points


def test_example_a_the_effect_of_an_adjusted_match_is_explained() -> None:
    before, after = swiss_example(as_played=True), swiss_example()
    before, after = replace(before, rounds=before.rounds[:4]), replace(after, rounds=after.rounds[:4])
    found = changes_between(before, after)
    assert (ReversedResult(match=after.rounds[3].matches[0].id, groups=((6,), (4,))),) == found.turned
    assert (
        PlaceChange(entry=2, before=3, after=2),
        PlaceChange(entry=10, before=4, after=3),
        PlaceChange(entry=1, before=5, after=4),
        PlaceChange(entry=4, before=2, after=5),
        PlaceChange(entry=3, before=9, after=8),
        PlaceChange(entry=5, before=8, after=9),
    ) == found.moved


def test_example_c_a_round_robin_of_five_shares_fourth_place() -> None:
    rows = standings(round_robin_example())
    assert "BACDE" == letters_of_entries(row.entry for row in rows)
    assert [1, 2, 3, 4, 4] == [row.place for row in rows]
    assert [6, 6, 6, 1, 1] == [row.points for row in rows]
    assert [2, 2, 2, 1, 1] == [row.figures.h2h for row in rows]
    assert ["8", "8", "8", "0.5", "0.5"] == [format_figure(row.figures.sb or 0) for row in rows]
    assert ["151.7", "133.3", "98.3", "-205", "-205"] == [format_figure(row.figures.net) for row in rows]
    assert [0, 0] == [row.figures.wins for row in rows[3:]]
    assert {None} == {row.figures.bc1 for row in rows}


def test_the_order_of_tiebreaks_is_that_of_the_format() -> None:
    course = swiss_example()
    assert ("h2h", "bc1", "sb", "net", "wins") == tiebreaks(course)
    assert ("h2h", "sb", "net", "wins") == tiebreaks(round_robin_example())
    assert ("net", "wins") == tiebreaks(replace(course, sides=3))
    assert ("net", "wins") == tiebreaks(replace(course, kind=FormatKind.INDIVIDUAL))


@pytest.mark.parametrize("kind", [FormatKind.SINGLE, FormatKind.DOUBLE, FormatKind.LADDER])
def test_standings_are_refused_for_brackets_and_ladders(kind: FormatKind) -> None:
    with pytest.raises(ValueError, match="no standings by points"):
        standings(replace(swiss_example(), kind=kind))
