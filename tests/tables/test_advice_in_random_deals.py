"""Offers in random deals of every rule set: legal, true, and independent of hidden cards."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Final

import pytest

from bot.computer.player import player_for
from bot.engine.melds.points import points_lost_by_hand
from bot.engine.moves import phases
from bot.engine.moves.actions import ANNOUNCE, ASK, YES, Ask, LayRun, Meld, Step, Take
from bot.engine.moves.events import DealEnd, DealEnded, Event, Opened
from bot.engine.play.building_views import seat_view
from bot.engine.play.decide import decide, why_not_allowed
from bot.engine.play.legal_steps import legal_actions
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State, seat_to_act
from bot.engine.table.state_queries import going_out_obligation
from bot.tables.advice import Offers, WayToGoOut, offers_to_seat
from bot.tables.advice.ways_out import can_probably_go_out, state_bound_to_go_out
from tests.computer.positions import with_hidden_cards_redealt
from tests.support.random_play import deal_with_minimum, one_form_of_each_rule_set, steps_of_a_deal
from tests.support.seeds import SEARCHING

FORMS = one_form_of_each_rule_set()
EVERY_FORM = pytest.mark.parametrize("rules", FORMS, ids=lambda rules: f"{rules.name}-{rules.players}")

EVERY: Final = 2 if SEARCHING else 12
"""Only one in this many positions is checked, unless the deal is near its end."""


@cache
def positions_with_offers(rules: RuleSet) -> tuple[tuple[State, Offers], ...]:
    """Return positions of one deal, each with its offers to the seat in turn; one step in ten is random."""
    random = Random(rules.name)
    player = player_for("casual", 0)

    def choose_step(state: State, seat: int, legal: tuple[Step, ...]) -> Step:
        return random.choice(legal) if random.random() < 0.1 else player.choose(seat_view(state, seat)).step

    found = []
    minimum = random.choice((15, 50, 90, 120))
    for number, played in enumerate(steps_of_a_deal(deal_with_minimum(rules, 17, minimum=minimum), choose_step)):
        state = played.before
        short = any(len(hand) < 6 for hand in state.hands)
        opening = not state.opened[state.side] and state.phase is phases.PLAY
        if state.phase is not phases.ANSWER and (short or opening or number % EVERY == 0):
            found.append((state, offers_to_seat(state, played.seat)))
    return tuple(found)


def events_of_steps(state: State, steps: Sequence[Step]) -> tuple[Event, ...]:
    """Return the events of these steps by the seat in turn, with a partner who always agrees."""
    seat = state.turn
    events: list[Event] = []
    for step in steps:
        events += decide(state, seat, step)
        state = fold(state, decide(state, seat, step))
        if isinstance(step, Ask):
            state = fold(state, decide(state, seat_to_act(state), YES))
    return tuple(events)


def points_against_partners(state: State, way: WayToGoOut) -> int:
    """Return the points that the partners' real hands and feet count against them."""
    feet = state.feet or ((),) * state.rules.players
    return sum(points_lost_by_hand(state.rules, (*state.hands[one.seat], *feet[one.seat])) for one in way.partners)


@EVERY_FORM
def test_every_laying_and_every_way_to_take_the_pile_is_legal(rules: RuleSet) -> None:
    for state, offers in positions_with_offers(rules):
        legal = legal_actions(state)
        assert not {laying.step for laying in offers.layings} - set(legal)
        assert [step for step in legal if isinstance(step, Take)] == [way.step for way in offers.takes]
        for way in offers.takes:
            assert why_not_allowed(state, state.turn, way.action) is None
            assert state.opened[state.side] or fold(state, decide(state, state.turn, way.action)).opened[state.side]


@EVERY_FORM
def test_every_offered_opening_opens_and_one_is_found_if_possible(rules: RuleSet) -> None:
    for state, offers in positions_with_offers(rules):
        opening = offers.opening
        if opening is not None:
            events = decide(state, state.turn, opening.action)
            assert [opening.points] == [event.points for event in events if isinstance(event, Opened)]
            assert not any(isinstance(event, DealEnded) for event in events)
        elif not state.opened[state.side] and state.phase is phases.PLAY and not state.aside:
            may_lay = any(isinstance(step, Meld | LayRun) for step in legal_actions(state))
            assert may_lay == (offers.way_out is not None and len(offers.way_out.layings) > 0)


@EVERY_FORM
def test_every_way_out_ends_the_deal_with_the_stated_score(rules: RuleSet) -> None:
    for state, offers in positions_with_offers(rules):
        way, seat = offers.way_out, state.turn
        if way is None:
            continue
        events = events_of_steps(state, way.steps)
        (ended,) = [event for event in events if isinstance(event, DealEnded)]
        assert (DealEnd.OUT, seat) == (ended.reason, ended.went_out)
        side = rules.side_of(seat)
        bonus = rules.game_bonus if fold(state, events).winner == side else 0
        assert way.points == ended.lines[side].total - bonus + points_against_partners(state, way)


@EVERY_FORM
def test_a_way_out_is_found_if_there_is_one(rules: RuleSet) -> None:
    for state, offers in positions_with_offers(rules):
        if offers.way_out is not None or state.phase is not phases.PLAY or state.aside or state.permission is False:
            continue
        bound = state_bound_to_go_out(state)
        sayable = {ASK, ANNOUNCE} & set(legal_actions(state)) or not rules.needs_word or state.permission
        assert not (going_out_obligation(bound) is True and can_probably_go_out(bound) and sayable)


@EVERY_FORM
def test_hidden_cards_do_not_change_the_offers(rules: RuleSet) -> None:
    random = Random(5)
    for state, offers in positions_with_offers(rules)[::3]:
        assert offers == offers_to_seat(with_hidden_cards_redealt(state, state.turn, random), state.turn)


def test_the_random_deals_reach_every_kind_of_offer() -> None:
    seen = [offers for rules in FORMS[:6] for _, offers in positions_with_offers(rules)]
    assert any(offers.layings for offers in seen)
    assert any(offers.opening for offers in seen)
    assert any(way.added for offers in seen for way in offers.takes)
    assert any(offers.way_out for offers in seen)
