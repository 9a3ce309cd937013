"""Experts play whole deals under every family of rules in the rollout world, only by legal steps.

In a normal run one expert plays beside strong players, at night experts have all seats.
"""

from __future__ import annotations

import pytest

from bot.computer.deals import play_deal
from bot.computer.duplicate_pairs import deal_with_opening_minimum
from bot.computer.player import ComputerPlayer, player_for
from bot.computer.rollout.fitted_numbers import are_fitted_numbers_better
from bot.computer.seeded_random import shuffled_packs
from bot.engine.play.invariants import broken_invariants
from bot.engine.rules.sets import rule_set
from bot.engine.table.state import State
from tests.support.rollout_world_comparison import CLAIMED, QuickExpert
from tests.support.seeds import SEARCHING

FAMILIES = [("singkep", 2), ("uruguay-modern", 4), ("modern-american", 2), ("joker", 4)]
UNMEASURED = [(name, players) for name, players in CLAIMED if not are_fitted_numbers_better(rule_set(name, players))]
EVERY = 40


@pytest.mark.parametrize(("name", "players"), UNMEASURED if SEARCHING else FAMILIES)
def test_experts_play_a_deal_to_its_end(name: str, players: int) -> None:
    rules = rule_set(name, players)
    deal = deal_with_opening_minimum(rules, next(shuffled_packs(rules, 31)), 0, minimum=rules.initial_meld_minimum(0))

    seen = 0

    def check_some_states(state: State) -> None:
        nonlocal seen
        seen += 1
        if seen % EVERY == 0:
            assert () == broken_invariants(state)

    others: list[ComputerPlayer] = [QuickExpert() if SEARCHING else player_for("strong")] * (players - 1)
    played = play_deal(deal, [QuickExpert(), *others], check_some_states)
    assert played.turns > players
    assert not played.illegal
