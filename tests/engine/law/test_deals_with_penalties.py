"""Deals in which irregularities are attempted and paid for (`docs/law/classic.md 1.22`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from random import Random
from typing import TypeAlias

import pytest

from bot.engine.moves.actions import (
    ASK,
    DRAW,
    Act,
    Action,
    Attempt,
    Discard,
    DiscardCard,
    Lay,
    LayMelds,
    Step,
    TakePile,
)
from bot.engine.moves.events import DealEnded, Event, Penalized
from bot.engine.moves.refusals import Refusal
from bot.engine.play.building_views import public_view, seat_view
from bot.engine.play.decide import decide, why_not_allowed
from bot.engine.play.invariants import broken_invariants
from bot.engine.play.legal_steps import legal_actions
from bot.engine.positions.position_reading import read_position, write_position
from bot.engine.rules.irregularities import REGIMES, Irregularity
from bot.engine.rules.rule_options import read_options
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import rule_set
from bot.engine.table.applying_events import evolve, fold
from bot.engine.table.charged_penalties import penalty_cards, penalty_points
from bot.engine.table.state import State, seat_to_act
from tests.support.random_play import deal_with_minimum, random_act
from tests.support.seeds import SEARCHING, seeds

OTHERS = (("singkep", 4), ("classic", 5), ("classic-cut-throat", 3), ("samba", 4), ("hand-and-foot", 4))

TABLES = [
    read_options(rule_set(name, players), {"penalties": regime})
    for regime, tables in (
        ("laws", (("classic", 4), ("classic", 2), ("classic", 6), *OTHERS)),
        ("singkep", (("classic", 4), *OTHERS)),
        ("italian-club", (("classic", 4), ("italian-club", 4), ("samba", 4))),
    )
    for name, players in tables
]


def name_of(rules: RuleSet) -> str:
    return f"{rules.penalties}-{rules.name}-{rules.players}"


def random_attempt(state: State, random: Random) -> tuple[int, Step | Act]:
    """Return a seat and a random action for it to attempt, often an irregular one."""
    seat = random.choice((state.turn, state.turn, random.choice(state.seating.seats)))
    hand = list(state.hands[seat])
    random.shuffle(hand)
    if seat == state.turn and random.random() < 0.6:
        act = random_act(state, random)
        return seat, act if isinstance(act, LayMelds | TakePile | DiscardCard) else DRAW
    some = tuple(hand[: random.randrange(1, 4)])
    tries: list[Step | Act] = [DRAW, ASK, LayMelds((Lay(some),)), TakePile(some), TakePile(), _meld_everything(hand)]
    return seat, random.choice(tries + [DiscardCard(card) for card in hand[:1]])


def _meld_everything(hand: list[int]) -> LayMelds:
    """Return a meld of the whole hand, by rank; it seldom goes out."""
    return LayMelds(
        tuple(Lay(tuple(card for card in hand if card >> 2 == kind)) for kind in {one >> 2 for one in hand})
    )


def events_or_nothing(state: State, seat: int, action: Action) -> tuple[Event, ...]:
    """Return the events of an action, none if it is refused."""
    try:
        return decide(state, seat, action)
    except Refusal:
        return ()


PlayedStep: TypeAlias = tuple[State, tuple[Event, ...], State]
"""A state, what happened in it, and the state after that."""

by_table = pytest.mark.parametrize("rules", TABLES, ids=name_of, scope="module")


@lru_cache(maxsize=8)
def irregular_deal(rules: RuleSet, seed: int) -> tuple[PlayedStep, ...]:
    """Return the steps of a random deal with many irregular attempts; cached for several tests."""
    return tuple(_irregular_deal(rules, seed))


def _irregular_deal(rules: RuleSet, seed: int) -> Iterator[PlayedStep]:
    random = Random(seed)
    state = deal_with_minimum(rules, seed, minimum=random.choice((15, 50, 90)), dealer=seed % rules.players)
    for _ in range(3000):
        to_act = seat_to_act(state)
        if to_act is None:
            return
        legal = legal_actions(state)
        assert legal, f"seat {to_act} has nothing it may do"
        events = decide(state, to_act, random.choice(legal))
        if random.random() < 0.3:
            seat, action = random_attempt(state, random)
            events = events_or_nothing(state, seat, Attempt(action)) or events
        after = fold(state, events)
        yield state, events, after
        state = after
    raise AssertionError("the deal did not end")


@by_table
def test_a_deal_with_irregularities_stays_valid_and_ends(rules: RuleSet) -> None:
    seen: Counter[Irregularity] = Counter()
    for seed in seeds(7 if rules.penalties == "italian-club" else 3):  # these rules have the fewest irregularities
        ended = 0
        for before, events, after in irregular_deal(rules, seed):
            state = before
            for event in events:
                state = evolve(state, event)
                seen += Counter([event.irregularity] if isinstance(event, Penalized) else [])
                ended += isinstance(event, DealEnded)
            assert state == after
            assert () == broken_invariants(after)
        assert 1 == ended
    assert seen
    assert set(seen) <= set(REGIMES[rules.penalties])


@by_table
def test_a_sides_penalties_are_a_line_of_its_score(rules: RuleSet) -> None:
    """In cut-throat, where partners have scores of their own, each pays for both."""
    for seed in seeds(2):
        paid = [0] * rules.players
        for _, events, after in irregular_deal(rules, seed):
            for event in events:
                if isinstance(event, Penalized):
                    paid[event.seat] += event.points
            sides = [sum(paid[seat] for seat in after.seating.seats_of(side)) for side in range(after.seating.sides)]
            assert sides == [penalty_points(after, side) for side in range(after.seating.sides)]
            for ended in (event for event in events if isinstance(event, DealEnded)):
                lines = [line.penalties for line in ended.lines]
                assert lines == [-sides[after.seating.side_by_seat[number]] for number in range(len(lines))]


@by_table
def test_a_seat_with_penalty_cards_discards_them_first(rules: RuleSet) -> None:
    for seed in seeds(2):
        for state, _, _ in irregular_deal(rules, seed):
            if seat_to_act(state) != state.turn:
                continue
            due = {card >> 2 for card in penalty_cards(state, state.turn)}
            kinds = {step.kind for step in legal_actions(state) if isinstance(step, Discard)}
            assert not due or kinds <= due


@by_table
def test_penalty_cards_are_seen_by_everybody_and_lie_in_the_hand(rules: RuleSet) -> None:
    for seed in seeds(1):
        for _, _, state in irregular_deal(rules, seed)[:: 1 if SEARCHING else 3]:
            for info in public_view(state).seats:
                assert not Counter(info.exposed) - Counter(seat_view(state, info.seat).hand)


@by_table
def test_a_position_with_penalties_is_read_back_unchanged(rules: RuleSet) -> None:
    for seed in seeds(1):
        for _, _, state in irregular_deal(rules, seed)[:: 1 if SEARCHING else 3]:
            written = write_position(state)
            again = read_position(written)
            assert written == write_position(again)
            assert state.penalties == again.penalties
            assert legal_actions(state) == legal_actions(again)


def test_an_attempt_equals_the_act_at_a_table_without_penalties() -> None:
    random = Random(3)
    state = deal_with_minimum(rule_set("classic", 4), 3)
    for _ in range(300):
        seat, action = random_attempt(state, random)
        refused = why_not_allowed(state, seat, action)
        assert refused is None or refused.penalty is None
        assert refused == why_not_allowed(state, seat, Attempt(action))
        assert events_or_nothing(state, seat, action) == events_or_nothing(state, seat, Attempt(action))
        to_act = seat_to_act(state)
        if to_act is None:
            break
        state = fold(state, decide(state, to_act, random.choice(legal_actions(state))))
