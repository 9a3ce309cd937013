"""Ways out that are evident: whatever they promise, trying every layout finds too."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Literal, get_args, get_type_hints

import pytest

from bot.engine import phases
from bot.engine.actions import LayRun, Meld
from bot.engine.cards import ACE
from bot.engine.counts import pack
from bot.engine.legal import legal_actions
from bot.engine.rules import RuleSet
from bot.engine.rulesets import player_counts, rule_set
from bot.engine.sorted_cards import meld_of, without
from bot.engine.state import State
from bot.engine.variants import themed_finishing
from bot.engine.variants.evident import goes_out_evidently, way_out
from bot.engine.variants.out_plan import OutPlan
from bot.engine.variants.regrouping import regroupings
from bot.engine.variants.runs import cards_of
from bot.engine.variants.standing import Standing, standing_of
from bot.engine.variants.verifying import chosen
from tests.support.play import dealt, steps_of_a_deal

FORMS = ("samba", "bolivia", "brazilian", "tampa", "mexicana", "uruguay")


def positions(rules: RuleSet, deals: int) -> list[State]:
    """Turns of open sides, in which the cards are as few as they are near the end of a deal."""
    return [
        played.after
        for seed in range(deals)
        for played in steps_of_a_deal(dealt(rules, seed), Random(seed))
        if played.after.phase is phases.PLAY and played.after.opened[played.after.side]
    ]


def rules_of(name: str) -> RuleSet:
    """The rule set, with so few canastas for going out that random hands come to it."""
    rules = rule_set(name, player_counts(name)[-1])
    return replace(rules, out_canastas=1, out_need=())


@pytest.mark.parametrize("out_discard", get_args(get_type_hints(RuleSet)["out_discard"]))
@pytest.mark.parametrize("name", FORMS)
def test_what_is_evident_is_found_by_trying(
    name: str, out_discard: Literal["optional", "mandatory", "forbidden"]
) -> None:
    rules = replace(rules_of(name), out_discard=out_discard)
    found = 0
    for state in positions(rules_of(name), 10):
        standing = replace(standing_of(state), rules=rules)
        hand = state.hands[state.turn]
        if len(hand) > 12 or not goes_out_evidently(standing, pack(hand), spare=1):
            continue
        found += 1
        assert themed_finishing.can_finish(standing, hand), state
    assert found > 3


@pytest.mark.parametrize("name", FORMS)
def test_steps_that_leave_room_keep_the_way_out(name: str) -> None:
    rules = rules_of(name)
    kept = 0
    for state in positions(rules, 8):
        standing, hand = standing_of(state), state.hands[state.turn]
        way = way_out(standing, pack(hand), spare=1)
        if way is None or len(hand) > 12 or standing.spread.canastas < rules.out_canastas:
            continue
        for step in legal_actions(state):
            if isinstance(step, Meld) and step.kind <= ACE and way.remains(standing, step):
                kept += 1
                assert themed_finishing.can_finish(*_after(state, standing, step)), (state, step)
    assert kept > 3


@pytest.mark.parametrize(("out_canastas", "runs"), [(1, 0), (2, 0), (1, 1)])
@pytest.mark.parametrize("name", ["samba", "brazilian", "tampa"])
def test_the_plan_of_going_out_tells_what_trying_finds(name: str, out_canastas: int, runs: int) -> None:
    rules = replace(rules_of(name), out_canastas=out_canastas)
    if runs and "seq" in rules.meld_kinds:
        rules = replace(rules, out_need=(("seq", runs),))
    told = 0
    for state in positions(rules, 6):
        standing, hand = standing_of(state), state.hands[state.turn]
        if len(hand) > 9 or standing.opening:
            continue
        plan = OutPlan(standing, hand)
        assert _can_finish(standing, hand) == plan.succeeds(), state
        for step in legal_actions(state):
            if isinstance(step, LayRun):
                if plan.evidently_allows(step):
                    told += 1
                    assert _can_finish(*_after(state, standing, step)), (state, step)
            elif isinstance(step, Meld) and step.kind <= ACE:
                allowed = plan.allows(step)
                if allowed is not None:
                    told += 1
                    assert _can_finish(*_after(state, standing, step)) == allowed, (state, step)
    assert told > 3


def _can_finish(standing: Standing, hand: tuple[int, ...]) -> bool:
    """Whether the hand can be laid down, melds being laid together before if that helps."""
    return any(themed_finishing.can_finish(one, hand) for one in regroupings(standing))


def _after(state: State, standing: Standing, step: Meld | LayRun) -> tuple[Standing, tuple[int, ...]]:
    cards = cards_of(step.place, step.low, step.high) if isinstance(step, LayRun) else chosen(state, step)
    lying = standing.melds.get(step.place)
    meld = meld_of(step.place, tuple(sorted(cards if lying is None else (*lying.cards, *cards))))
    return standing.with_meld(meld), without(state.hands[state.turn], cards)
