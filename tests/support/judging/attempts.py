"""Attempts that the engine refuses: in positions by chance, in whole deals, and in the cases."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any, TypeAlias

from bot.engine.cards.cards import JOKER, TWO, Card
from bot.engine.law.scoring import instant_winner
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
from bot.engine.play.decide import why_not
from bot.engine.play.legal import legal_actions
from bot.engine.record.position_parts import seat_at
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.evolve import fold
from bot.engine.table.state import State, actor
from bot.referee.cases import read_case
from bot.referee.requests import Announce, MergeMelds, Stop, TakeWilds, Wanted, attempt, with_turn_begun
from tests.support import small_variants
from tests.support.coverage import CASES
from tests.support.play import acted, dealt, random_act, steps_of_a_deal
from tests.support.small import universe
from tests.support.small_variants import position_by_chance


@dataclass(frozen=True)
class Refused:
    """An action that was refused: where, to whom, and why."""

    state: State
    seat: int | None
    action: Action
    refusal: Refusal

    def with_state(self, **fields: Any) -> Trial:
        """The same action where these fields of the state are others."""
        return Trial(replace(self.state, **fields), self.seat, self.action)

    def with_rules(self, **parameters: Any) -> Trial:
        """The same action under rules that differ in these parameters."""
        return self.with_state(rules=replace(self.state.rules, **parameters))

    def with_action(self, action: Action) -> Trial:
        """Another action at the same place."""
        return Trial(self.state, self.seat, action)


@dataclass(frozen=True)
class Trial:
    """An action to be tried."""

    state: State
    seat: int | None
    action: Action

    def why_not(self) -> Refusal | None:
        return why_not(self.state, self.seat, self.action)


Gone: TypeAlias = Callable[[Refused], Iterator[Trial]]
"""Answers with trials of the same attempt without the obstacle."""


def refused(state: State, seat: int | None, action: Action) -> Refused | None:
    """The refusal of an action; None where it is legal."""
    refusal = why_not(state, seat, action)
    return None if refusal is None else Refused(state, seat, action, refusal)


# --- by chance --------------------------------------------------------------------------------------------------------


def by_chance(rules: RuleSet, seed: int, *, turns: int, tries: int) -> Iterator[Refused]:
    """Refusals of attempts at random: in turns from small positions, and in a deal from its first turn."""
    random = Random(f"{rules.name} {rules.players} {seed}")
    for _ in range(turns):
        for state in _turn(rules, random):
            yield from _attempts(state, random, tries)
    deal = dealt(rules, random.randrange(10**6), minimum=random.choice((15, 50, 120)))
    for number, played in enumerate(steps_of_a_deal(deal, random)):
        if number % 8 == 0:
            yield from _attempts(played.before, random, 3)
        if number > 30 * turns:
            return
    yield from _attempts(played.after, random, 3)


def _turn(rules: RuleSet, random: Random) -> Iterator[State]:
    """The states of one turn by random steps, from a small position in which much is nearly lawful."""
    makers = [small_variants.small_position, small_variants.small_position, small_variants.tight_position]
    makers += [small_variants.special_position] * bool(rules.special_hands)
    state = position_by_chance(rules, random, maker=random.choice(makers), options={})
    while actor(state) is not None and state.turn == 0 and instant_winner(state) is None:
        yield state
        legal = legal_actions(state)
        if not legal:  # as a constructed position may be with the stock out
            return
        state = acted(state, actor(state), random.choice(legal))


def _attempts(state: State, random: Random, tries: int) -> Iterator[Refused]:
    """The refusals among some attempts: steps that can be named, acts of a person, words, and seats out of turn."""
    steps: list[Step] = universe(state) if state.hands else []
    for _ in range(tries):
        chosen: list[Action] = [random.choice(steps)] if steps else []
        chosen += [random_act(state, random), _near_miss(state, random)] if state.hands else []
        chosen += [random.choice((ASK, YES, NO, ANNOUNCE, PASS, TAKE_BACK, StartDeal(())))]
        for action in chosen:
            seat = random.randrange(-1, state.rules.players + 1) if random.random() < 0.05 else actor(state)
            found = refused(state, seat, action)
            if found is not None:
                yield found


def _near_miss(state: State, random: Random) -> Action:
    """Something that a person might well try: most of a rank, a pair, a run with a gap, the top with the wrong card."""
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


# --- of the cases -----------------------------------------------------------------------------------------------------


def of_cases() -> Iterator[Refused]:
    """Every refusal of the referee's cases (`tests/data/cases`)."""
    for file in sorted(CASES.glob("*.json")):
        for given in json.loads(file.read_text(encoding="utf-8")):
            yield from _of_case(given)


def _of_case(given: dict[str, Any]) -> Iterator[Refused]:
    case = read_case(given)
    state = case.state
    for request in case.requests:
        try:
            events = attempt(state, request)
        except Refusal as refusal:
            action = _action(state, request.wanted)
            if action is None or refusal.code is Code.NOT_A_PLAYER:
                continue
            seat = actor(state) if request.seat is None else seat_at(state, request.seat)
            found = refused(state, state.turn if seat is None else seat, action)
            if found is not None:
                yield found
            continue
        state = with_turn_begun(fold(state, events))


def _action(state: State, wanted: Wanted) -> Action | None:
    """The action behind what a case wants; None for the end of the deal, which no seat asks for."""
    places = [meld.place for meld in state.melds[state.side]]

    def place(number: int) -> int:
        return places[number] if 0 <= number < len(places) else -1

    match wanted:
        case Stop():
            return None
        case Announce():
            return ANNOUNCE
        case TakeWilds(number):
            return Reclaim(place(number))
        case MergeMelds(number, onto):
            return Combine(place(number), place(onto))
        case action:
            return action
