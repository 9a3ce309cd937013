"""Acts in named cards are carried out as steps, all of them or none, and can be taken back."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engine.cards.cards import JOKER, TWO, Card
from bot.engine.cards.meld_places import is_run
from bot.engine.moves.actions import TAKE_BACK, Discard, DiscardCard, Lay, LayMelds, LayRun, Meld, Step, Take, TakePile
from bot.engine.moves.events import Discarded, Event, Melded, TookFoot, TookTop
from bot.engine.play.building_views import seat_view
from bot.engine.play.decide import decide, is_allowed, why_not_allowed
from bot.engine.play.legal_steps import legal_actions
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State, seat_to_act
from tests.support.random_play import (
    apply_action,
    cards_to_lay,
    deal_with_minimum,
    one_form_of_each_rule_set,
    random_act,
    steps_of_a_deal,
)
from tests.support.seeds import SEARCHING, seeds
from tests.support.small_positions import position_hard_to_finish, small_position
from tests.support.strategies import states_in_progress

FORMS = one_form_of_each_rule_set()
SEEDS = st.integers(0, 10**6)


def name_of(rules: RuleSet) -> str:
    return f"{rules.name}-{rules.players}"


def state_by_kinds(state: State) -> tuple[object, ...]:
    """Return the state as far as it depends only on the kinds of cards.

    Suits and the order of melds are left out, and the points of melds before the opening, which depend on that order
    without any effect.
    """
    melds = [sorted((meld.kind, meld.naturals, meld.wilds) for meld in side) for side in state.melds]
    return (
        state.phase,
        state.turn,
        state.counts,
        melds,
        [card >> 2 for card in state.pile],
        state.opened,
        0 if state.opened[state.side] else state.laid_points,
        state.aside,
        state.joined,
        state.started,
        state.scores,
        state.results,
    )


def count_kind(cards: tuple[Card, ...], kind: int) -> int:
    return sum(1 for card in cards if card >> 2 == kind)


def step_of_event(event: Event) -> Step | None:
    """Return the step that causes this event; None if the event follows from another."""
    if isinstance(event, TookTop):
        return Take(count_kind(event.cards, event.kind), count_kind(event.cards, TWO), count_kind(event.cards, JOKER))
    if isinstance(event, Melded) and is_run(event.place):
        ranks = [card >> 2 for card in event.cards]
        return LayRun(event.place, min(ranks), max(ranks))
    if isinstance(event, Melded):
        return Meld(
            event.place,
            0 if event.kind in (TWO, JOKER) else count_kind(event.cards, event.kind),
            count_kind(event.cards, TWO),
            count_kind(event.cards, JOKER),
        )
    return Discard(event.card >> 2) if isinstance(event, Discarded) else None


def random_acts(state: State, random: Random, act_count: int) -> list[LayMelds | TakePile | DiscardCard]:
    tried = [random_act(state, random) for _ in range(act_count)]
    return [act for act in tried if isinstance(act, LayMelds | TakePile | DiscardCard)]


def check_acts(state: State, random: Random, act_count: int) -> int:
    """Try random acts, check what they do or why they are refused; return the number of legal ones."""
    before = dict(vars(state))
    done = 0
    for act in random_acts(state, random, act_count):
        refusal = why_not_allowed(state, seat_to_act(state), act)
        if refusal is not None:
            assert legal_actions(state) == refusal.legal
            assert before == vars(state)
            continue
        done += 1
        events = decide(state, seat_to_act(state), act)
        after = fold(state, events)
        by_steps = state
        for event in events:
            step = step_of_event(event)
            if step is not None:
                legal = legal_actions(by_steps)
                if isinstance(event, TookTop) and step not in legal:
                    step = Take(onto=event.place)  # of several melds of the rank the listed step names one
                assert step in legal
                by_steps = apply_action(by_steps, seat_to_act(by_steps), step)
        assert state_by_kinds(after) == state_by_kinds(by_steps)
    return done


@given(states_in_progress(), SEEDS)
def test_an_act_is_refused_or_does_what_its_steps_do(state: State, seed: int) -> None:
    if seat_to_act(state) == state.turn:
        check_acts(state, Random(seed), 20)


@pytest.mark.parametrize("maker", [small_position, position_hard_to_finish])
def test_an_act_is_refused_or_does_what_its_steps_do_on_small_positions(maker: Callable[[Random], State]) -> None:
    done = 0
    for seed in seeds(120 if SEARCHING else 80):
        random = Random(seed)
        state = maker(random)
        if legal_actions(state):
            done += check_acts(state, random, 15)
    assert done > (200 if SEARCHING else 130)


@pytest.mark.parametrize("maker", [small_position, position_hard_to_finish])
def test_the_order_of_melds_in_an_act_does_not_matter(maker: Callable[[Random], State]) -> None:
    compared = 0
    for seed in seeds(320 if SEARCHING else 200):
        random = Random(seed)
        state = maker(random)
        for act in random_acts(state, random, 12):
            if isinstance(act, DiscardCard) or len(act.melds) < 2:
                continue
            outcomes = [outcome_of_act(state, reorder_melds(act, order)) for order in permutations(act.melds)]
            assert all(one == outcomes[0] for one in outcomes), act
            compared += 1
    assert compared > (500 if SEARCHING else 300)


def reorder_melds(act: LayMelds | TakePile, order: tuple[Lay, ...]) -> LayMelds | TakePile:
    return LayMelds(order) if isinstance(act, LayMelds) else TakePile(act.cards, order)


def outcome_of_act(state: State, act: LayMelds | TakePile) -> tuple[object, ...] | None:
    return (
        state_by_kinds(apply_action(state, seat_to_act(state), act))
        if is_allowed(state, seat_to_act(state), act)
        else None
    )


@pytest.mark.parametrize("rules", FORMS, ids=name_of)
def test_an_act_melds_exactly_the_cards_it_names(rules: RuleSet) -> None:
    random = Random(5)
    laid = 0
    for seed in seeds(2):
        for played in steps_of_a_deal(deal_with_minimum(rules, seed), random):
            state, step = played.before, played.action
            if not isinstance(step, Meld) or not state.opened[state.seating.side_by_seat[played.seat]]:
                continue
            cards = cards_to_lay(state, step, random)
            melds = state.melds[state.seating.side_by_seat[played.seat]]
            onto = next((number for number, meld in enumerate(melds) if meld.place == step.place), None)
            happened = decide(state, played.seat, LayMelds((Lay(cards, onto),)))[0]
            assert Melded(played.seat, step.place, cards) == happened
            laid += 1
    assert laid > 20


BY_MINIMUM = [
    (rules, minimum)
    for number, rules in enumerate(FORMS)
    for minimum in ((15, 90) if SEARCHING or rules.name == "classic" else (15, 90)[number % 2 :][:1])
]
"""Every form with a low and a high minimum; in every run most forms have one of them, in turn."""


@pytest.mark.parametrize(
    ("rules", "minimum"), BY_MINIMUM, ids=lambda value: str(value) if isinstance(value, int) else name_of(value)
)
def test_taking_back_restores_the_state_unless_hidden_cards_were_seen(rules: RuleSet, minimum: int) -> None:
    undone = kept = 0
    for seed in seeds(4 if minimum == 90 else 2):  # with a higher minimum a deal has fewer melds
        for played in steps_of_a_deal(deal_with_minimum(rules, seed, minimum=minimum), Random(seed)):
            after = played.after
            if not isinstance(played.action, Meld | Take) or seat_to_act(after) != played.seat:
                continue
            if seat_view(after, played.seat).can_take_back:
                assert played.before == apply_action(after, played.seat, TAKE_BACK)
                undone += 1
            else:
                seen = isinstance(played.action, Take) or any(isinstance(event, TookFoot) for event in played.events)
                assert seen or played.before.aside
                assert not is_allowed(after, played.seat, TAKE_BACK)
                kept += 1
    assert undone > 10
    assert kept > 2


@given(states_in_progress())
def test_a_view_shows_whether_a_meld_can_be_taken_back(state: State) -> None:
    for seat in range(state.rules.players):
        assert seat_view(state, seat).can_take_back == is_allowed(state, seat, TAKE_BACK)
