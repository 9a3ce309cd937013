"""`canasta-bot bench engine`: the names and formats of its figures; values are not asserted."""

from __future__ import annotations

import json

import pytest

from bot.__main__ import main

FIGURES = [
    "rules",
    "players",
    "actions_per_second",
    "python_chess_per_second",
    "ratio",
    "legal_actions_us",
    "decide_evolve_us",
]


def test_the_classic_game_for_four_is_measured_by_default(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == main(["bench", "engine", "--deals", "1", "--json"])
    figures = json.loads(capsys.readouterr().out)
    assert FIGURES == list(figures)
    assert ("classic", 4) == (figures["rules"], figures["players"])
    assert {"mean", "p99"} == set(figures["legal_actions_us"]) == set(figures["decide_evolve_us"])


def test_any_form_can_be_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == main(["bench", "engine", "--deals", "1", "--json", "--rules", "pennies", "--players", "6"])
    figures = json.loads(capsys.readouterr().out)
    assert ("pennies", 6) == (figures["rules"], figures["players"])


def test_all_forms_are_measured_one_per_line_and_compared_with_the_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == main(["bench", "engine", "--deals", "1", "--json", "--all"])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [
        ("classic", 4),
        ("classic", 2),
        ("samba", 4),
        ("hand-and-foot", 4),
        ("modern-american", 4),
    ] == [(figures["rules"], figures["players"]) for figures in lines]
    assert all([*FIGURES, "ratio_to_classic"] == list(figures) for figures in lines)
    assert 1.0 == lines[0]["ratio_to_classic"]


def test_without_json_each_figure_has_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == main(["bench", "engine", "--deals", "1"])
    assert ["rules: classic", "players: 4"] == capsys.readouterr().out.splitlines()[:2]


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--rules", "sambo"], "there is no rule set 'sambo'; there are classic, "),
        (["--rules", "bolivia", "--players", "3"], "bolivia is played by 4, not by 3"),
        (["--all", "--rules", "samba"], "--all measures a list of its own; leave out --rules and --players"),
    ],
)
def test_an_impossible_measurement_is_answered(
    capsys: pytest.CaptureFixture[str], options: list[str], text: str
) -> None:
    assert 2 == main(["bench", "engine", *options])
    assert capsys.readouterr().out.startswith(f"canasta-bot bench engine: {text}")
