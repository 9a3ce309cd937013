"""Fitting the expert's numbers to a form: it finds better ones, and refuses forms it cannot play."""

from __future__ import annotations

from itertools import islice

import pytest

from bot.__main__ import main
from bot.computer.rollout.engine_conversion import has_runs, is_playable
from bot.computer.rollout.fitted_numbers import are_fitted_numbers_better, file_content, fitted_numbers_for
from bot.computer.rollout.fitting import fit_numbers, leads_by_deal, make_deals
from bot.computer.rollout.policy_numbers import NAMES, RUN_NAMES, numbers_before_fitting
from bot.engine.rules.sets import rule_set
from tests.support.rollout_world_comparison import UNCLAIMED
from tests.support.seeds import SEARCHING

DEALS = 600 if SEARCHING else 50


def test_players_with_the_same_numbers_have_no_advantage() -> None:
    dealt = make_deals(rule_set("classic", 2), seed=3, count=20)
    assert [0.0] * 20 == leads_by_deal(dealt, numbers_before_fitting(), numbers_before_fitting())


def test_fitting_moves_towards_better_numbers() -> None:
    """With two players, drawing two cards is better than a pile of one; the first numbers ignore that."""
    rules = rule_set("classic", 2)
    found = list(islice(fit_numbers(rules, seed=5, count=6), 3))
    assert [1, 2, 3] == [progress.generation for progress in found]
    assert list(found[-1].numbers) != numbers_before_fitting()


@pytest.mark.parametrize(
    ("name", "players"),
    [
        ("classic", 2),
        ("classic", 4),
        ("classic-13", 2),
        ("classic", 6),
        ("samba", 2),
        ("samba", 3),
        ("samba", 4),
        ("samba", 6),
    ],
)
def test_stored_numbers_are_better_in_the_rollout_world(name: str, players: int) -> None:
    rules = rule_set(name, players)
    dealt = make_deals(rules, seed=77, count=DEALS)
    sides = dealt[0].form.sides
    gained = leads_by_deal(dealt, fitted_numbers_for(rules, sides), numbers_before_fitting(runs=has_runs(rules)))
    assert sum(gained) / len(gained) > -30


@pytest.mark.parametrize(("name", "players"), [("samba", 5), ("bolivia", 4), ("uruguay", 4), ("classic", 4)])
def test_a_strong_player_plays_by_fitted_numbers_where_they_are_better(name: str, players: int) -> None:
    rules = rule_set(name, players)
    assert are_fitted_numbers_better(rules)
    assert is_playable(rules)


@pytest.mark.parametrize(("name", "players"), [("uruguay-modern", 4), ("joker", 4), ("hand-and-foot", 6), ("samba", 6)])
def test_a_strong_player_plays_by_rules_of_thumb_where_no_numbers_were_measured(name: str, players: int) -> None:
    assert not are_fitted_numbers_better(rule_set(name, players))


def test_a_file_holds_every_number_and_its_form() -> None:
    rules = rule_set("classic", 4)
    told = file_content(rules, 2, numbers_before_fitting())
    assert {"seats": 4, "sides": 2, "draw": 1, "canastas": 1} == told["for"]
    assert list(NAMES) == list(told["numbers"])
    with_runs = file_content(rule_set("samba", 4), 2, numbers_before_fitting(runs=True))
    assert {"seats": 4, "sides": 2, "draw": 2, "canastas": 2, "runs": True} == with_runs["for"]
    assert [*NAMES, *RUN_NAMES] == list(with_runs["numbers"])


def test_a_form_with_feet_uses_the_fitted_numbers_of_a_similar_form() -> None:
    plain, measured = rule_set("classic", 5), rule_set("hand-and-foot-us", 6)
    fitted = fitted_numbers_for(measured, 3)
    assert are_fitted_numbers_better(measured)
    assert not are_fitted_numbers_better(rule_set("hand-and-foot-us-trios", 6))
    assert fitted == fitted_numbers_for(rule_set("hand-and-foot-us-trios", 6), 2)
    assert fitted != numbers_before_fitting()
    assert numbers_before_fitting() == fitted_numbers_for(plain, 5)


def test_the_command_refuses_forms_that_the_rollout_world_does_not_play(capsys: pytest.CaptureFixture[str]) -> None:
    name, players = UNCLAIMED[0]
    assert 2 == main(["fit", "--rules", name, "--players", str(players)])
    assert f"does not play {name}" in capsys.readouterr().err
    assert 2 == main(["fit", "--rules", "samba", "--players", "9"])
    assert "has no form for 9" in capsys.readouterr().err
