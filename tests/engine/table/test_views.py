"""Two states that differ only in cards hidden from a viewer look the same to that viewer."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engine.cards.cards import ACE, Card
from bot.engine.moves.actions import Take
from bot.engine.moves.phases import Phase
from bot.engine.play.building_views import public_view, seat_view
from bot.engine.play.legal_steps import legal_actions
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import RULE_SETS, rule_set
from bot.engine.rules.themes.named_themes import with_themes
from bot.engine.table.state import State, seat_to_act
from tests.support.random_play import deal_with_minimum, one_form_of_each_rule_set, steps_of_a_deal
from tests.support.seeds import SEARCHING
from tests.support.strategies import states_in_progress

FORMS = (
    [rules for forms in RULE_SETS.values() for rules in forms.values()] if SEARCHING else one_form_of_each_rule_set()
)
SEEDS = st.integers(0, 10**6)


def redeal_hidden_cards(state: State, viewer: int | None, random: Random) -> State:
    """Return the state with all cards that the viewer does not see dealt again.

    These are hands, feet, stock and the hidden pile. No hand gets a three that would have to be laid out.
    """
    laid_out = state.rules.laid_out
    hidden = [seat for seat in range(state.rules.players) if seat != viewer]
    unseen = [*state.stock, *state.pile[: state.hidden], *(card for foot in state.feet for card in foot)]
    threes = [card for card in unseen if card >> 2 in laid_out]
    others = [card for card in unseen if card >> 2 not in laid_out]
    others += [card for seat in hidden for card in state.hands[seat]]
    random.shuffle(others)
    hands = list(state.hands)
    for seat in hidden:
        size = len(hands[seat])
        hands[seat] = tuple(sorted(others[:size]))
        others = others[size:]
    rest: list[Card] = others + threes
    random.shuffle(rest)
    feet = [tuple(sorted(rest.pop() for _ in foot)) for foot in state.feet]
    face_down = tuple(rest.pop() for _ in range(state.hidden))
    pile = face_down + state.pile[state.hidden :]
    return replace(state, hands=tuple(hands), feet=tuple(feet), stock=tuple(rest), pile=pile)


@given(states_in_progress(), SEEDS)
def test_the_public_view_is_blind_to_every_hand_and_to_the_stock(state: State, seed: int) -> None:
    assert public_view(state) == public_view(redeal_hidden_cards(state, None, Random(seed)))


@given(states_in_progress(), SEEDS)
def test_a_seats_view_is_blind_to_the_other_hands_and_to_the_stock(state: State, seed: int) -> None:
    for seat in range(state.rules.players):
        assert seat_view(state, seat) == seat_view(redeal_hidden_cards(state, seat, Random(seed)), seat)


@pytest.mark.parametrize("rules", FORMS, ids=lambda rules: f"{rules.name}-{rules.players}")
def test_no_view_of_a_whole_deal_reveals_hidden_cards(rules: RuleSet) -> None:
    """A normal run compares one seat's view at every fifth step, a search all views at every step."""
    random = Random(1)
    for minimum in (15, 120):
        for number, played in enumerate(
            steps_of_a_deal(deal_with_minimum(rules, 30 + minimum, minimum=minimum), random)
        ):
            state = played.after
            if seat_to_act(state) is None:
                break
            for seat in range(rules.players) if SEARCHING else seats_whose_views_are_compared(number, rules.players):
                assert seat_view(state, seat) == seat_view(redeal_hidden_cards(state, seat, random), seat)


def seats_whose_views_are_compared(number: int, players: int) -> tuple[int, ...]:
    """Return the seats whose views are compared after that step: one at every fifth step, else none."""
    turn, left = divmod(number, 5)
    return () if left else (turn % players,)


def test_the_test_detects_a_view_that_reveals_hidden_cards() -> None:
    state = deal_with_minimum(FORMS[-1], 4)
    other = redeal_hidden_cards(state, 0, Random(4))
    assert seat_view(state, 1) != seat_view(other, 1)
    assert state.stock != other.stock


@given(states_in_progress())
def test_a_seats_view_has_its_own_hand_and_its_legal_steps(state: State) -> None:
    for seat in range(state.rules.players):
        view = seat_view(state, seat)
        assert state.hands[seat] == view.hand
        assert (seat_to_act(state) == seat) == view.must_act == bool(view.legal)
        assert [len(hand) for hand in state.hands] == [info.cards for info in view.table.seats]


@given(states_in_progress())
def test_a_closed_pile_cannot_be_taken(state: State) -> None:
    pile, legal = public_view(state).pile, legal_actions(state)
    assert not (pile.closed and any(isinstance(step, Take) for step in legal))
    blocked = pile.top is None or pile.top >> 2 > ACE
    assert pile.closed or state.phase is not Phase.DRAW or not blocked
    assert not pile.closed or state.phase is Phase.DRAW


def test_a_theme_closes_the_pile_for_everybody() -> None:
    rules = with_themes(rule_set("classic", 4), ["hands-off"])
    assert public_view(deal_with_minimum(rules, 1)).pile.closed
    assert not public_view(deal_with_minimum(rule_set("classic", 4), 1)).pile.closed


def test_a_pile_is_not_closed_to_a_side_that_may_open_from_the_hand_first() -> None:
    played = steps_of_a_deal(deal_with_minimum(rule_set("modern-american", 4), 1), Random(1))
    unopened = [one.after for one in played if one.after.phase is Phase.DRAW and not one.after.opened[one.after.side]]
    piles = [public_view(state).pile for state in unopened]
    natural = [pile.closed for pile in piles if pile.top is not None and pile.top >> 2 <= ACE]
    assert natural
    assert not any(natural)
    assert all(pile.closed for pile in piles if pile.top is None or pile.top >> 2 > ACE)


def test_a_seat_that_does_not_exist_has_no_view() -> None:
    for rules in FORMS:
        state = deal_with_minimum(rules, 1)
        for seat in (-1, rules.players):
            with pytest.raises(IndexError):
                seat_view(state, seat)
