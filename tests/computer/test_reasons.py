"""Every choice has a reason, and every alternative one against it."""

from __future__ import annotations

from itertools import islice

import pytest

from bot.computer.chosen_step import MOST_RIVALS, Choice, Reason
from bot.computer.deals import play_deal
from bot.computer.duplicate import deal_for
from bot.computer.heuristics.families_of_rules import strong_habits
from bot.computer.heuristics.habits import STRONG
from bot.computer.lean.search import ExpertPlayer
from bot.computer.memory_of_a_deal import BLANK, Memory
from bot.computer.player import ComputerPlayer, player_for
from bot.computer.seeded_random import packs
from bot.engine.rules.sets import rule_set
from bot.engine.table.views import SeatView

RARE = {Reason.RISK, Reason.OUT_WAIT, Reason.ANSWER_NO, Reason.ASK, Reason.ANSWER_YES, Reason.TAKE_CANASTA}
"""Reasons that a few deals need not meet."""


class Noting:
    """A player whose choices are kept."""

    def __init__(self, player: ComputerPlayer) -> None:
        self._player = player
        self.choices: list[tuple[SeatView, Choice]] = []

    def choose(self, view: SeatView, memory: Memory = BLANK) -> Choice:
        choice = self._player.choose(view, memory)
        self.choices.append((view, choice))
        return choice


def choices_of(player: ComputerPlayer, name: str, *, deals: int) -> list[tuple[SeatView, Choice]]:
    rules, noting = rule_set(name, 4), Noting(player)
    for number, pack in enumerate(islice(packs(rules, 5), deals)):
        minimum = max(points for _, points in rules.open_table)
        play_deal(deal_for(rules, pack, number, minimum=minimum), [noting] * 4)
    return noting.choices


@pytest.fixture(scope="module")
def made() -> list[tuple[SeatView, Choice]]:
    return [
        *choices_of(ExpertPlayer(rollouts=12), "classic", deals=2),
        *choices_of(player_for("casual"), "classic", deals=8),
        *choices_of(player_for("casual"), "samba", deals=1),
        *choices_of(player_for("strong"), "modern-american", deals=2),
    ]


def test_steps_and_rivals_are_legal_and_rivals_are_nearest_first(made: list[tuple[SeatView, Choice]]) -> None:
    for view, choice in made:
        assert choice.step in view.legal
        behind = [rival.behind for rival in choice.rivals]
        assert sorted(behind) == behind
        assert len(behind) <= MOST_RIVALS
        assert all(rival.step in view.legal and rival.step != choice.step for rival in choice.rivals)
        assert all(gap >= 0 for gap in behind)


def test_every_usual_reason_is_met(made: list[tuple[SeatView, Choice]]) -> None:
    met = {choice.reason for _, choice in made} | {rival.reason for _, choice in made for rival in choice.rivals}
    assert set(Reason) - RARE <= met


def test_reasons_name_real_seats_and_kinds(made: list[tuple[SeatView, Choice]]) -> None:
    for view, choice in made:
        for numbers in (choice.numbers, *(rival.numbers for rival in choice.rivals)):
            assert numbers.get("seat", 0) in view.table.playing
            assert 0 <= numbers.get("kind", 0) <= 14
            assert numbers.get("count", 1) >= 0


def test_families_of_rules_have_habits_of_their_own() -> None:
    assert STRONG == strong_habits(rule_set("samba", 4))
    assert strong_habits(rule_set("modern-american", 4)).pile_card < STRONG.pile_card
    assert strong_habits(rule_set("hand-and-foot-us", 4)).foot_card > STRONG.foot_card
    assert strong_habits(rule_set("hand-and-foot-pagat", 2)).horizon > STRONG.horizon
