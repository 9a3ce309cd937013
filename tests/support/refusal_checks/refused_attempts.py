"""Attempts that the engine refuses: in random positions, in whole deals, and in the referee's cases."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any, TypeAlias

from bot.engine.cards.cards import JOKER, TWO, Card
from bot.engine.law.scoring import index_of_instant_winner
from bot.engine.moves.actions import (
    ANNOUNCE,
    ASK,
    NO,
    PASS,
    TAKE_BACK,
    YES,
    Action,
    Combine,
    DiscardCard,
    Lay,
    LayMelds,
    Reclaim,
    StartDeal,
    Step,
    TakePile,
)
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.play.decide import why_not_allowed
from bot.engine.play.legal_steps import legal_actions
from bot.engine.positions.position_parts import seat_at
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State, seat_to_act
from bot.referee.case_actions import Announce, MergeMelds, ScoreNow, TakeWilds, Wanted, try_action, with_turn_begun
from bot.referee.cases import read_case
from tests.support import small_variant_positions
from tests.support.case_proofs import CASES
from tests.support.random_play import apply_action, deal_with_minimum, random_act, steps_of_a_deal
from tests.support.small_positions import conceivable_steps
from tests.support.small_variant_positions import random_position


@dataclass(frozen=True)
class RefusedAttempt:
    """A refused action with its state, its seat and its refusal."""

    state: State
    seat: int | None
    action: Action
    refusal: Refusal

    def with_state(self, **fields: Any) -> Trial:
        """Return a trial of the same action with these fields of the state changed."""
        return Trial(replace(self.state, **fields), self.seat, self.action)

    def with_rules(self, **parameters: Any) -> Trial:
        """Return a trial of the same action under rules with these parameters changed."""
        return self.with_state(rules=replace(self.state.rules, **parameters))

    def with_action(self, action: Action) -> Trial:
        """Return a trial of another action by the same seat in the same state."""
        return Trial(self.state, self.seat, action)


@dataclass(frozen=True)
class Trial:
    """An action in a state, to be tried on the engine."""

    state: State
    seat: int | None
    action: Action

    def engine_refusal(self) -> Refusal | None:
        return why_not_allowed(self.state, self.seat, self.action)


TrialMaker: TypeAlias = Callable[[RefusedAttempt], Iterator[Trial]]
"""A function that yields the same attempt with its obstacle removed."""


def find_refusal(state: State, seat: int | None, action: Action) -> RefusedAttempt | None:
    """Return the refused attempt with its refusal; None if the action is legal."""
    refusal = why_not_allowed(state, seat, action)
    return None if refusal is None else RefusedAttempt(state, seat, action, refusal)


# --- random attempts --------------------------------------------------------------------------------------------------


def random_refusals(rules: RuleSet, seed: int, *, turns: int, tries: int) -> Iterator[RefusedAttempt]:
    """Yield random attempts that are refused: in single turns from small positions, and in a whole deal."""
    random = Random(f"{rules.name} {rules.players} {seed}")
    for _ in range(turns):
        for state in _play_random_turn(rules, random):
            yield from _random_refusals_at(state, random, tries)
    deal = deal_with_minimum(rules, random.randrange(10**6), minimum=random.choice((15, 50, 120)))
    for number, played in enumerate(steps_of_a_deal(deal, random)):
        if number % 8 == 0:
            yield from _random_refusals_at(played.before, random, 3)
        if number > 30 * turns:
            return
    yield from _random_refusals_at(played.after, random, 3)


def _play_random_turn(rules: RuleSet, random: Random) -> Iterator[State]:
    """Yield the states of one turn of random steps, from a small position where much is nearly legal."""
    makers = [
        small_variant_positions.small_position,
        small_variant_positions.small_position,
        small_variant_positions.position_hard_to_finish,
    ]
    makers += [small_variant_positions.special_hand_position] * bool(rules.special_hands)
    state = random_position(rules, random, build_position=random.choice(makers), options={})
    while seat_to_act(state) is not None and state.turn == 0 and index_of_instant_winner(state) is None:
        yield state
        legal = legal_actions(state)
        if not legal:  # a constructed position may have no legal step when the stock is empty
            return
        state = apply_action(state, seat_to_act(state), random.choice(legal))


def _random_refusals_at(state: State, random: Random, tries: int) -> Iterator[RefusedAttempt]:
    """Yield those of several random attempts in this state that are refused.

    They are steps, acts, announcements, and acts out of turn.
    """
    steps: list[Step] = conceivable_steps(state) if state.hands else []
    for _ in range(tries):
        chosen: list[Action] = [random.choice(steps)] if steps else []
        chosen += [random_act(state, random), _near_miss(state, random)] if state.hands else []
        chosen += [random.choice((ASK, YES, NO, ANNOUNCE, PASS, TAKE_BACK, StartDeal(())))]
        for action in chosen:
            seat = random.randrange(-1, state.rules.players + 1) if random.random() < 0.05 else seat_to_act(state)
            found = find_refusal(state, seat, action)
            if found is not None:
                yield found


def _near_miss(state: State, random: Random) -> Action:
    """Return a probable mistake, such as a pair, a run with a gap, or a wrong card for the pile."""
    hand = list(state.hands[state.turn])
    if not hand:
        return LayMelds(())
    random.shuffle(hand)
    kind = hand[0] >> 2
    own = [card for card in hand if card >> 2 == kind]
    suit = sorted({card for card in hand if card & 3 == hand[0] & 3 and card >> 2 not in (TWO, JOKER)})
    cards: list[tuple[Card, ...]] = [tuple(own), tuple(own[:2]), tuple(suit[:4]), tuple(hand[:2]), (hand[0],)]
    chosen = random.choice(cards)
    if state.pile and random.random() < 0.4:
        top = [card for card in hand if card >> 2 == state.pile[-1] >> 2]
        return TakePile(random.choice((chosen[:2], tuple(top[:2]), tuple(top[:3]), ())))
    melds = state.melds[state.side]
    onto = random.randrange(len(melds)) if melds and random.random() < 0.5 else None
    rest = tuple(card for card in hand if card >> 2 != kind)
    more = (Lay(tuple(card for card in rest if card >> 2 == rest[0] >> 2)),) if rest and random.random() < 0.4 else ()
    return LayMelds((Lay(chosen, onto), *more)) if random.random() < 0.8 else DiscardCard(hand[0])


# --- attempts of the cases --------------------------------------------------------------------------------------------


def refusals_of_cases() -> Iterator[RefusedAttempt]:
    """Yield every refused attempt of the referee's cases (`tests/data/cases`)."""
    for file in sorted(CASES.glob("*.json")):
        for given in json.loads(file.read_text(encoding="utf-8")):
            yield from _refusals_of_case(given)


def _refusals_of_case(given: dict[str, Any]) -> Iterator[RefusedAttempt]:
    case = read_case(given)
    state = case.state
    for request in case.requests:
        try:
            events = try_action(state, request)
        except Refusal as refusal:
            action = _requested_action(state, request.wanted)
            if action is None or refusal.code is Code.NOT_A_PLAYER:
                continue
            seat = seat_to_act(state) if request.seat is None else seat_at(state, request.seat)
            found = find_refusal(state, state.turn if seat is None else seat, action)
            if found is not None:
                yield found
            continue
        state = with_turn_begun(fold(state, events))


def _requested_action(state: State, requested: Wanted) -> Action | None:
    """Return the action that a case requests; None for the end of the deal, which no seat requests."""
    places = [meld.place for meld in state.melds[state.side]]

    def place_of_meld(meld_number: int) -> int:
        return places[meld_number] if 0 <= meld_number < len(places) else -1

    match requested:
        case ScoreNow():
            return None
        case Announce():
            return ANNOUNCE
        case TakeWilds(number):
            return Reclaim(place_of_meld(number))
        case MergeMelds(number, onto):
            return Combine(place_of_meld(number), place_of_meld(onto))
        case action:
            return action
