"""The command `canasta-bot simulate` and the figures it prints."""

from __future__ import annotations

import json
from collections import Counter
from itertools import islice
from typing import Any

import pytest

from bot.__main__ import main
from bot.computer.deals import play_deal
from bot.computer.duplicate_pairs import (
    LevelComparison,
    PlayedPair,
    compare_levels,
    deal_with_opening_minimum,
    play_pairs,
    players_by_seat,
)
from bot.computer.seeded_random import shuffled_packs
from bot.computer.statistics import Estimate, estimate_mean, mean_and_deviation
from bot.computer.whole_games import LONGEST, mean_length, play_games
from bot.engine.cards.cards import full_pack
from bot.engine.cards.notation import cards_text
from bot.engine.rules.sets import rule_set
from bot.engine.table import state_queries
from tests.support.seeds import SEARCHING


def printed_text(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert 0 == main(["simulate", *arguments])
    return capsys.readouterr().out


def printed_figures(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(printed_text(capsys, *arguments, "--json"))
    return report


def without_speed(report: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in report.items() if name != "actions_per_second"}


@pytest.mark.parametrize("players", [2, 4])
def test_simulate_counts_every_deal_once(capsys: pytest.CaptureFixture[str], players: int) -> None:
    report = printed_figures(capsys, "--rules", "classic", "--players", str(players), "--deals", "20", "--seed", "1")
    assert ("classic", players, 20, 0) == tuple(report[name] for name in ("rules", "players", "deals", "illegal"))
    assert 20 == report["out"] + report["stock"] + report["last_red_three"]
    assert (
        {"mean", "spread"} == set(report["turns_per_deal"]) == set(report["actions_per_deal"]) == set(report["score"])
    )
    assert report["turns_per_deal"]["mean"] < report["actions_per_deal"]["mean"]
    assert 0 <= report["opened_share"] <= 1
    assert report["actions_per_second"] > 0


def test_the_same_seed_gives_the_same_figures(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--deals", "10", "--seed", "7", "--level", "casual,random")
    first = without_speed(printed_figures(capsys, *arguments))
    assert first == without_speed(printed_figures(capsys, *arguments))
    assert first != without_speed(printed_figures(capsys, "--deals", "10", "--seed", "8", "--level", "casual,random"))


def test_simulate_prints_its_figures_in_words_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert "illegal steps: 0" in printed_text(capsys, "--deals", "3")
    text = printed_text(capsys, "--deals", "3", "--duplicate", "--level", "casual,random")
    assert "casual against random" in text
    assert 2 == text.count("reached at the lower end")


@pytest.mark.parametrize("level", ["casual", "random"])
def test_a_level_of_play_scores_the_same_as_itself_in_simulate(capsys: pytest.CaptureFixture[str], level: str) -> None:
    report = printed_figures(capsys, "--duplicate", "--level", f"{level},{level}", "--deals", "5")
    assert [50, 90, 120] == [row["minimum"] for row in report["minimums"]]
    assert {"mean": 0.0, "low": 0.0, "high": 0.0} == report["overall"]["difference"]
    assert {"mean": 0.5, "low": 0.5, "high": 0.5} == report["overall"]["deals_won"]
    assert {"points": False, "deals": False} == report["thresholds"]


def test_each_row_is_a_round_if_minimums_depend_on_rounds(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--rules", "hand-and-foot", "--duplicate", "--level", "casual,random", "--deals", "2")
    rows = printed_figures(capsys, *arguments)["minimums"]
    assert [50, 90, 120, 150] == [row["minimum"] for row in rows]
    assert 4 == len({row["difference"]["mean"] for row in rows})
    (fourth,) = printed_figures(capsys, *arguments, "--minimum", "150")["minimums"]
    assert rows[3] == fourth


@pytest.mark.parametrize(
    ("name", "minimum", "starts"), [("hand-and-foot", 120, ((0, 0), 2)), ("classic", 120, ((3000, 3000), 0))]
)
def test_a_deal_begins_with_totals_for_which_its_minimum_holds(
    name: str, minimum: int, starts: tuple[tuple[int, int], int]
) -> None:
    rules = rule_set(name, 4)
    deal = deal_with_opening_minimum(rules, next(shuffled_packs(rules, 1)), 5, minimum=minimum)
    assert starts == (deal.totals, deal.before)
    seen: list[int] = []
    play_deal(
        deal,
        players_by_seat(rules, ("random",), 1, 1),
        lambda state: seen.append(state_queries.opening_minimum(state, 0)),
    )
    assert {minimum} == set(seen)


def test_simulate_may_play_its_packs_at_each_minimum_in_turn(capsys: pytest.CaptureFixture[str]) -> None:
    texts = ["simulate", "--duplicate", "--level", "casual,random", "--in-turn", "--deals", "4", "--json"]
    assert 0 == main(texts)
    report = json.loads(capsys.readouterr().out)
    assert [(50, 2), (90, 1), (120, 1)] == [(row["minimum"], row["pairs"]) for row in report["minimums"]]
    assert 4 == report["overall"]["pairs"]


def test_changing_the_order_of_the_levels_changes_the_sign(capsys: pytest.CaptureFixture[str]) -> None:
    one = printed_figures(capsys, "--duplicate", "--level", "casual,random", "--deals", "5", "--minimum", "50")
    other = printed_figures(capsys, "--duplicate", "--level", "random,casual", "--deals", "5", "--minimum", "50")
    assert one["overall"]["difference"]["mean"] == -other["overall"]["difference"]["mean"]


def test_a_comparison_counts_all_three_sides() -> None:
    """Two of the sides have the same level, and both are compared with the third."""
    rules, levels = rule_set("classic", 3), ("casual", "random")
    (pair,) = play_pairs(rules, levels, minimum=50, pairs=1, seed=4)
    deal = deal_with_opening_minimum(rules, next(shuffled_packs(rules, 4)), 0, minimum=50)
    first = play_deal(deal, players_by_seat(rules, levels, 4, 0)).scores
    second = play_deal(deal, players_by_seat(rules, levels[::-1], 4, 0)).scores
    leads = ((first[0] + first[2]) / 2 - first[1], second[1] - (second[0] + second[2]) / 2)
    assert sum(leads) / 2 == pair.difference


def test_casual_players_clearly_beat_random_ones() -> None:
    """A shorter match than `simulate --level casual,random --duplicate`."""
    rules = rule_set("classic", 4)
    found = compare_levels(
        pair
        for minimum in (50, 90, 120)
        for pair in play_pairs(rules, ("casual", "random"), minimum=minimum, pairs=80 if SEARCHING else 20, seed=4)
    )
    assert 0 == found.illegal
    assert found.difference.low > 650
    assert found.deals_won.low > 0.85


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--players", "7"], "classic is played by 2 or 3 or 4 or 5 or 6"),
        (["--minimum", "60"], "one of 15, 50, 90, 120"),
        (["--duplicate"], "compares two levels"),
    ],
)
def test_simulate_explains_arguments_that_do_not_fit_together(
    capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    assert 2 == main(["simulate", *arguments])
    assert says in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["--level", "perfect"],
        ["--level", "casual,casual,casual"],
        ["--deals", "0"],
        ["--deals", "many"],
        ["--minimum", "low,high"],
        ["--rules", "chess"],
    ],
)
def test_simulate_ends_with_status_2_if_an_argument_cannot_be_read(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["simulate", *arguments])
    assert 2 == ended.value.code
    assert "usage" in capsys.readouterr().err


# --- figures and chance ----------------------------------------------------------------------------------------------


def test_an_estimate_of_equal_values_is_certain() -> None:
    assert Estimate(2.0, 2.0, 2.0) == estimate_mean([2.0, 2.0, 2.0])
    assert 0.0 == mean_and_deviation([5.0]).spread


def test_an_estimate_narrows_with_the_root_of_the_number() -> None:
    few, many = estimate_mean([0.0, 10.0] * 8), estimate_mean([0.0, 10.0] * 128)
    assert 4.0 == pytest.approx((few.high - few.low) / (many.high - many.low), rel=0.05)
    assert few.low < 5.0 < few.high


def test_a_comparison_counts_all_deals_of_its_pairs() -> None:
    found = compare_levels([PlayedPair(700, 1.0, 80, 0), PlayedPair(900, 0.5, 90, 1)])
    assert (2, 1, 800.0, 0.75) == (found.pairs, found.illegal, found.difference.mean, found.deals_won.mean)
    assert not found.is_over_points_threshold


def test_a_threshold_counts_as_reached_only_if_the_lower_bound_reaches_it() -> None:
    certain = Estimate(650.0, 650.0, 650.0)
    assert LevelComparison(1, 0, certain, Estimate(0.95, 0.9, 1.0)).is_over_deals_threshold
    assert not LevelComparison(1, 0, Estimate(900.0, 649.0, 1151.0), Estimate(0.95, 0.89, 1.0)).is_over_points_threshold


def test_packs_are_whole_and_stay_the_same_in_every_version() -> None:
    rules = rule_set("classic", 4)
    first, second = islice(shuffled_packs(rules, 1), 2)
    assert Counter(full_pack(2, 2)) == Counter(first) == Counter(second)
    assert first != second
    assert "3s Ts 5c 3d Ah JK 8s Tc" == cards_text(first[:8])


def test_whole_games_are_played_to_their_end_and_their_deals_counted(capsys: pytest.CaptureFixture[str]) -> None:
    report = printed_figures(capsys, "--rules", "hand-and-foot", "--games", "1")
    assert ("hand-and-foot", 1, 4.0) == (report["rules"], report["games"], report["deals_per_game"])
    played = play_games(rule_set("classic", 2), games=3, seed=1)
    assert 3 == len(played)
    assert all(1 <= game.deals == len(game.turns) <= LONGEST for game in played)
    assert played == play_games(rule_set("classic", 2), games=3, seed=1)
    text = printed_text(capsys, "--players", "2", "--games", "3")
    assert f"{round(mean_length(played).deals, 2)} deals a game" in text
    assert 2 == main(["simulate", "--duplicate", "--level", "casual,random", "--games", "1"])
