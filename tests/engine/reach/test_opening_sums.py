"""Sums of points say whether a hand can open, as trying every way does.

Source: `docs/law/classic.md 1.11, 1.23`.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from bot.engine.cards.cards import full_pack
from bot.engine.cards.meld_places import WILD_MELD
from bot.engine.moves.actions import LayRun, Meld, StartDeal
from bot.engine.moves.phases import Phase
from bot.engine.play.decide import decide, why_not_allowed
from bot.engine.play.legal_steps import legal_actions
from bot.engine.positions.position_reading import read_position
from bot.engine.reach import quick_bounds
from bot.engine.reach.opening_goals import Demand, Goal
from bot.engine.reach.opening_points import can_reach_goal, most_points
from bot.engine.reach.turn_outlook import standing_of
from bot.engine.rules.sets import rule_set
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State, new_game, seat_to_act

SCORES = (-100, 0, 1600, 3100, 7500, 8500, 9500)
STEPS = 30
DEMANDS: tuple[Demand, ...] = ("none", "clean", "wild", "canasta", "natural_canasta", "splash")
VARIANTS = (
    ("samba", 4),
    ("brazilian", 4),
    ("italian", 4),
    ("cuban", 4),
    ("modern-american", 4),
    ("modern-american-pagat", 4),
    ("hand-and-foot-us", 4),
    ("pennies", 6),
)


def unopened_positions(name: str, players: int, deals: int) -> Iterator[State]:
    """Yield positions of random deals in which the side in turn has drawn and has not opened."""
    rules = rule_set(name, players)
    random = Random(f"{name} {players}")
    for _ in range(deals):
        pack = [*full_pack(rules.decks, rules.jokers_per_deck)]
        random.shuffle(pack)
        state = new_game(rules, dealer=0, scores=tuple(random.choice(SCORES) for _ in range(rules.sides)))
        state = fold(state, decide(state, None, StartDeal(tuple(pack))))
        for _ in range(STEPS):
            if state.phase in (Phase.BETWEEN, Phase.OVER):
                break
            if state.phase is Phase.PLAY and not state.opened[state.seating.side_by_seat[state.turn]]:
                yield state
            state = fold(state, decide(state, seat_to_act(state), random.choice(legal_actions(state))))


@pytest.mark.parametrize(("name", "players"), [*VARIANTS, ("classic", 4), ("modern-american", 2)])
def test_sums_decide_openings_as_trying_every_way_does(name: str, players: int) -> None:
    random = Random(1)
    asked = 0
    for state in unopened_positions(name, players, 2):
        standing, whole = standing_of(state), state.hands[state.turn]
        hand = tuple(sorted(random.sample(whole, random.randint(len(whole) // 2, len(whole)))))
        for demand in DEMANDS:
            wilds, points = random.random() < 0.8, random.choice((0, 50, 90, 125))
            out_of_reach, goal = Goal(10_000, demand, wilds=wilds), Goal(points, demand, wilds=wilds)
            for keep in (0, 1, 2):
                most = most_points(standing, hand, out_of_reach, keep=keep)
                reached = can_reach_goal(standing, hand, goal, keep=keep)
                with quick_bounds.switch_off_shortcuts("sums"):
                    assert most == most_points(standing, hand, out_of_reach, keep=keep), (hand, goal, keep)
                    assert reached == can_reach_goal(standing, hand, goal, keep=keep), (hand, goal, keep)
                assert reached == (most >= goal.points), (hand, goal, keep)
                asked += 1
    assert asked > 100


@pytest.mark.parametrize(("name", "players"), [*VARIANTS, ("singkep", 4), ("singkep", 2), ("italian-club", 4)])
def test_the_list_for_an_opening_contains_every_legal_meld(name: str, players: int) -> None:
    asked = 0
    for state in unopened_positions(name, players, 2):
        listed = {step for step in legal_actions(state) if isinstance(step, Meld | LayRun)}
        for step in candidate_melds(state):
            assert (step in listed) == (why_not_allowed(state, state.turn, step) is None), step
            asked += 1
    assert asked > 20


def candidate_melds(state: State) -> Iterator[Meld]:
    """Yield new melds and additions that use only cards of the hand, legal or not."""
    held = state.packed[state.turn].to_bytes(15, "little")
    for kind in range(11):
        for naturals in range(held[kind] + 1):
            for twos in range(min(2, held[12]) + 1):
                for jokers in range(min(2, held[13]) + 1):
                    if naturals + twos + jokers:
                        yield Meld(kind, naturals, twos, jokers)
    for twos in range(held[12] + 1):
        for jokers in range(held[13] + 1):
            if twos + jokers > 2:
                yield Meld(13, 0, twos, jokers)


def test_wild_cards_alone_open_if_a_meld_of_them_is_required() -> None:
    state = read_position(
        {
            "rules": "tampa",
            "players": 4,
            "options": {"open_shape": "clean3_or_wild"},
            "scores": [0, 0],
            "position": {
                "turn": 0,
                "phase": "play",
                "hands": {"0": "8s 8h 3s 3s 3c 2s 2h 2d", "1": "4s 5h", "2": "4s 5h", "3": "4s 5h"},
                "stock": "9c",
                "pile": "8c",
                "drew": "stock",
            },
        }
    )
    assert Meld(WILD_MELD, 0, 3, 0) in legal_actions(state)
