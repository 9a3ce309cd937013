"""Standings equal those that a second, plain implementation computes from the exported results."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bot.tournaments.counted_results import Course
from bot.tournaments.format_traits import FormatKind
from bot.tournaments.standings.rows import standings
from tests.support.seeds import seeds
from tests.support.tournament_courses import Json, export_course, random_course, random_round_robin
from tests.support.tournament_examples import round_robin_example, swiss_example
from tests.support.tournament_figures import find_differences

FORMATS = [(FormatKind.SWISS, 2), (FormatKind.SWISS, 3), (FormatKind.ROUND_ROBIN, 2), (FormatKind.INDIVIDUAL, 2)]


@pytest.mark.parametrize("course", [swiss_example(), round_robin_example()], ids=["a", "c"])
def test_the_examples_equal_the_second_implementation(course: Course) -> None:
    assert [] == find_differences(export_course(course))


@pytest.mark.parametrize(("kind", "sides"), FORMATS)
def test_random_courses_equal_the_second_implementation(kind: FormatKind, sides: int) -> None:
    for seed in seeds(50):
        course = random_course(kind, seed, sides=sides)
        assert [] == find_differences(export_course(course)), f"{kind} {seed}"


@pytest.mark.parametrize("kind", [FormatKind.SWISS, FormatKind.ROUND_ROBIN])
def test_random_round_robins_equal_the_second_implementation(kind: FormatKind) -> None:
    groups, tried = 0, seeds(60)
    for seed in tried:
        course = random_round_robin(kind, seed)
        assert [] == find_differences(export_course(course)), f"{kind} {seed}"
        groups += len({row.points for row in standings(course) if row.figures.h2h is not None}) > 0
    assert groups > len(tried) // 2


@pytest.mark.parametrize(("kind", "sides"), FORMATS)
def test_the_order_of_entries_and_matches_changes_nothing(kind: FormatKind, sides: int) -> None:
    for seed in seeds(15):
        course = random_course(kind, seed, sides=sides)
        turned = Course(
            kind=kind,
            entries=course.entries[::-1],
            rounds=tuple(
                type(one)(number=one.number, matches=one.matches[::-1], unpaired=one.unpaired[::-1])
                for one in course.rounds
            ),
            penalties=course.penalties[::-1],
            scoring=course.scoring,
            sides=sides,
        )
        assert standings(course) == standings(turned)


def change_place(export: Json) -> None:
    export["standings"][5]["rows"][0]["place"] = 2


def lower_net_points(export: Json) -> None:
    export["standings"][1]["rows"][0]["figures"]["net"] = 464


def change_score(export: Json) -> None:
    export["rounds"][0]["matches"][0]["sides"][0]["score"] = 1


def remove_last_entry(export: Json) -> None:
    export["standings"][2]["rows"].pop()


def raise_points(export: Json) -> None:
    export["rounds"][1]["matches"][2]["sides"][0]["points"] = 2


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (change_place, "after round 5: entry 6: place 2, not 1"),
        (lower_net_points, "after round 1: entry 1: net 464, not 465"),
        (change_score, "match 1: scores are [1960, 565]"),
        (remove_last_entry, "after round 2: entries [1, 2, 3, 4, 5, 6, 8, 9, 10]"),
        (raise_points, "match 7: points [2, 1], not [1, 1]"),
    ],
)
def test_every_error_in_an_export_is_found(change: Callable[[Json], None], text: str) -> None:
    export = export_course(swiss_example())
    change(export)
    assert text in find_differences(export)
