"""Properties of every game, tried in random games of every rule set."""

from __future__ import annotations

from itertools import chain
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bot.engine.cards.cards import Card, full_pack
from bot.engine.cards.meld_places import FAMILIES
from bot.engine.cards.notation import card_text, cards_text, parse_card, parse_cards
from bot.engine.moves.actions import Action, DiscardCard, LayMelds, StartDeal
from bot.engine.moves.events import DealEnded, Drew, Event, Gathered, LaidOut, Reshuffled, SetTalon, TookFoot, TookTalon
from bot.engine.moves.refusals import Refusal
from bot.engine.play.decide import decide, is_allowed, why_not_allowed
from bot.engine.play.invariants import broken_invariants
from bot.engine.play.legal_steps import legal_actions
from bot.engine.positions.position_reading import read_position, write_position
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.applying_events import evolve, fold
from bot.engine.table.state import State, seat_to_act
from bot.engine.table.views import public_event
from tests.support.random_play import (
    SCORES_BY_MINIMUM,
    deal_with_minimum,
    one_form_of_each_rule_set,
    play_random_game,
    replay_events,
    seeded_pack,
    steps_of_a_deal,
)
from tests.support.seeds import SEARCHING, seeds
from tests.support.small_positions import conceivable_steps, has_variant_melds
from tests.support.strategies import ACTIONS, states_in_progress

FORMS = one_form_of_each_rule_set()
SEEDS = st.integers(0, 10**6)


def name_of(rules: RuleSet) -> str:
    return f"{rules.name}-{rules.players}"


def number_of_deals(rules: RuleSet) -> int:
    """Return the number of random deals that a test plays by these rules.

    `make nightly` plays many times as many, `make soak` thousands.
    """
    if rules.name == "classic":
        return 5 if SEARCHING else 3
    return 1 if has_variant_melds(rules) else 2


def minimums_of(rules: RuleSet) -> list[int]:
    """Return the minimums at which deals are played: all for classic, every second one otherwise.

    A search plays all of them.
    """
    every = list(SCORES_BY_MINIMUM)
    return every if SEARCHING or rules.name == "classic" else every[FORMS.index(rules) % 2 :: 2]


def all_cards(state: State) -> list[Card]:
    """Return every card on the table and in the hands, sorted."""
    groups = [state.stock, state.pile, *state.hands, *state.feet, *state.talons, *state.red_threes, *state.set_aside]
    groups += [meld.cards for melds in state.melds for meld in melds]
    return sorted(chain.from_iterable(groups))


# --- whole deals -----------------------------------------------------------------------------------------------------


WITH_MINIMUM = [
    (rules, minimum)
    for rules in FORMS
    for minimum in SCORES_BY_MINIMUM
    if SEARCHING or rules.name == "classic" or minimum not in minimums_of(rules)
]
"""Every form with every minimum; in every run without those that the next test plays."""


@pytest.mark.parametrize(
    ("rules", "minimum"), WITH_MINIMUM, ids=lambda value: str(value) if isinstance(value, int) else name_of(value)
)
def test_every_deal_scores_a_multiple_of_five_and_every_seat_always_has_a_step(rules: RuleSet, minimum: int) -> None:
    for seed in seeds(number_of_deals(rules)):
        state = deal_with_minimum(rules, seed, minimum=minimum, dealer=seed % rules.players)
        ended: tuple[Event, ...] = ()
        for played in steps_of_a_deal(state, Random(seed)):
            ended = played.events
        check_scored_once(ended)


def check_scored_once(events: tuple[Event, ...]) -> None:
    """Check that the deal ended in these events, and that all its points are multiples of five."""
    (ended,) = [event for event in events if isinstance(event, DealEnded)]
    lines = [points for line in ended.lines for points in (line.total, line.in_hand)]
    assert not any(points % 5 for points in (*lines, *ended.scores))


@pytest.mark.parametrize("rules", FORMS, ids=name_of)
def test_every_card_exists_once_after_every_event_and_every_state_is_valid(rules: RuleSet) -> None:
    pack = sorted(full_pack(rules.decks, rules.jokers_per_deck))
    for seed, minimum in enumerate(minimums_of(rules)):
        for played in steps_of_a_deal(deal_with_minimum(rules, seed, minimum=minimum), Random(seed)):
            state = played.before
            for event in played.events:
                state = evolve(state, event)
                assert pack == all_cards(state)
            assert played.after == state
            assert () == broken_invariants(state)
        check_scored_once(played.events)


@pytest.mark.parametrize("rules", FORMS, ids=name_of)
def test_replaying_a_games_log_gives_the_live_state(rules: RuleSet) -> None:
    """Replaying folds events one after the other.

    The state after each step is compared with the live game. Games of the classic rules are played to their end; games
    of all other rules only in a search.
    """
    log: list[Event] = []
    dealer = 1 % rules.players
    replayed = replay_events(rules, dealer, ())
    for played in play_random_game(rules, dealer, most_deals=60 if SEARCHING or rules.name == "classic" else 3):
        log += played.events
        replayed = fold(replayed, played.events)
        assert played.after == replayed
    assert replayed == replay_events(rules, dealer, log)


@pytest.mark.parametrize("rules", FORMS, ids=name_of)
def test_every_legal_step_causes_an_event_and_does_not_modify_the_state_before_it(rules: RuleSet) -> None:
    for played in steps_of_a_deal(deal_with_minimum(rules, 21), Random(21)):
        before = dict(vars(played.before))
        state = played.before
        events = decide(played.before, played.seat, played.action)
        assert events
        for event in events:
            inside = dict(vars(state))
            after = evolve(state, event)
            assert inside == vars(state)
            state = after
        assert played.after == state
        legal_actions(played.before)
        assert before == vars(played.before)


# --- listed and accepted steps ----------------------------------------------------------------------------------------


@given(states_in_progress())
def test_listed_steps_are_the_accepted_steps(state: State) -> None:
    listed = legal_actions(state)
    assert len(set(listed)) == len(listed)
    accepted = {step for step in conceivable_steps(state) if is_allowed(state, seat_to_act(state), step)}
    assert set(listed) == accepted


@given(states_in_progress())
def test_actions_of_other_seats_are_refused(state: State) -> None:
    for seat in (-1, *range(state.rules.players), state.rules.players, None):
        if seat != seat_to_act(state):
            for step in legal_actions(state):
                refusal = why_not_allowed(state, seat, step)
                assert refusal is not None
                assert () == refusal.legal


@given(states_in_progress(), SEEDS)
def test_a_refusal_changes_nothing_and_lists_legal_steps(state: State, seed: int) -> None:
    random = Random(seed)
    before = dict(vars(state))
    for step in random.sample(conceivable_steps(state), 20):
        refusal = why_not_allowed(state, seat_to_act(state), step)
        if refusal is not None:
            assert legal_actions(state) == refusal.legal
            assert isinstance(refusal, Refusal)
    assert before == vars(state)


@given(states_in_progress(), ACTIONS, st.integers(-2, 6) | st.none())
def test_every_action_is_done_or_refused(state: State, action: Action, seat: int | None) -> None:
    refusal = why_not_allowed(state, seat, action)
    assert refusal is not None or is_allowed(state, seat, action)


@given(states_in_progress(), st.lists(ACTIONS, min_size=20, max_size=20))
def test_every_action_of_the_seat_to_act_is_done_or_refused(state: State, asked: list[Action]) -> None:
    for action in asked:
        refusal = why_not_allowed(state, seat_to_act(state), action)
        assert refusal is None or legal_actions(state) == refusal.legal or isinstance(action, StartDeal)


def test_a_pack_cannot_be_dealt_during_a_deal() -> None:
    for rules in FORMS:
        assert not is_allowed(deal_with_minimum(rules, 1), None, StartDeal(seeded_pack(rules, 2)))


# --- cards and positions as text --------------------------------------------------------------------------------------


def test_every_card_is_read_back_unchanged() -> None:
    for card in set(full_pack(1, 1)):
        text = card_text(card)
        assert card == parse_card(text) == parse_card(text.lower()) == parse_card(text.upper())


@given(SEEDS)
def test_a_pack_is_read_back_unchanged(seed: int) -> None:
    pack = seeded_pack(FORMS[0], seed)
    assert pack == parse_cards(cards_text(pack))
    assert cards_text(pack) == cards_text(parse_cards(cards_text(pack)))


def has_gaps_between_melds(state: State) -> bool:
    """Return whether a merger has left a gap between the places of one family's melds, which no position keeps."""
    lying = [{meld.place for meld in melds} for melds in state.melds]
    return any(place >= FAMILIES and place - FAMILIES not in places for places in lying for place in places)


@given(states_in_progress(), SEEDS)
def test_a_position_read_back_plays_on_identically(state: State, seed: int) -> None:
    assume(not has_gaps_between_melds(state))
    written = write_position(state)
    again = read_position(written)
    assert written == write_position(again)
    random = Random(seed)
    for _ in range(60):
        legal = legal_actions(state)
        assert legal == legal_actions(again)
        if not legal:
            break
        step = random.choice(legal)
        events = decide(state, seat_to_act(state), step)
        assert events == decide(again, seat_to_act(again), step)
        state, again = fold(state, events), fold(again, events)


@given(states_in_progress())
def test_public_events_name_no_hidden_cards(state: State) -> None:
    for step in legal_actions(state):
        for event in decide(state, seat_to_act(state), step):
            heard = public_event(event)
            hidden = HIDDEN.get(type(event))
            assert type(event) is type(heard)
            assert event_fields(event) | ({} if hidden is None else {hidden: ()}) == event_fields(heard)


HIDDEN: dict[type[Event], str] = {
    Drew: "cards",
    LaidOut: "cards",
    SetTalon: "cards",
    TookTalon: "cards",
    TookFoot: "cards",
    Reshuffled: "cards",
    Gathered: "hidden",
}
"""For each type of event, the fields with cards that only its seat may know."""


def test_public_events_of_a_deal_do_not_name_the_pack() -> None:
    for rules in FORMS:
        state = deal_with_minimum(rules, 1)
        for played in play_random_game(rules, 1):
            if isinstance(played.action, StartDeal):
                assert () == event_fields(public_event(played.events[0]))["pack"]
                break
        assert seat_to_act(state) is not None


def event_fields(event: Event) -> dict[str, object]:
    return {name: getattr(event, name) for name in type(event).__dataclass_fields__}


def test_acts_of_no_cards_are_refused() -> None:
    for rules in FORMS:
        state = deal_with_minimum(rules, 3)
        for act in (LayMelds(()), DiscardCard(0)):
            assert not is_allowed(state, seat_to_act(state), act)
