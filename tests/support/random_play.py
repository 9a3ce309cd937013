"""Play without strategy: packs from seeds, random steps and acts, and positions amid a deal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from random import Random
from typing import TypeAlias

from bot.engine.cards.cards import JOKER, TWO, Card, full_pack
from bot.engine.moves.actions import Action, DiscardCard, Lay, LayMelds, Meld, StartDeal, Step, Take, TakePile
from bot.engine.moves.events import Event
from bot.engine.moves.phases import Phase
from bot.engine.play.decide import decide
from bot.engine.play.legal_steps import legal_actions
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import RULE_SETS
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State, new_game, seat_to_act

SCORES_BY_MINIMUM = {15: -100, 50: 0, 90: 1500, 120: 3000}
"""A score before the deal that leads to each minimum."""


@dataclass(frozen=True)
class PlayedAction:
    """One action and its events."""

    before: State
    seat: int
    action: Action
    events: tuple[Event, ...]
    after: State


def replay_events(rules: RuleSet, dealer: int, events: Iterable[Event]) -> State:
    """Return the state of a game from its log."""
    return fold(new_game(rules, dealer=dealer), events)


def seeded_pack(rules: RuleSet, seed: int) -> tuple[Card, ...]:
    """Return a pack in the order of SHA-256 of ``"seed:place"``, the same on every machine for ever."""
    pack = full_pack(rules.decks, rules.jokers_per_deck)
    keys = [sha256(f"{seed}:{place}".encode()).digest() for place in range(len(pack))]
    return tuple(pack[place] for place in sorted(range(len(pack)), key=keys.__getitem__))


def deal_with_minimum(rules: RuleSet, seed: int, *, minimum: int = 50, dealer: int = 0) -> State:
    """Return a deal at its first turn, where every side needs that minimum for its initial meld."""
    return deal_with_score(rules, seed, SCORES_BY_MINIMUM[minimum], dealer=dealer)


def deal_with_score(rules: RuleSet, seed: int, score: int, *, dealer: int = 0) -> State:
    """Return a deal at its first turn, with that score for every side."""
    game = new_game(rules, dealer=dealer, scores=(score,) * rules.sides)
    return apply_action(game, None, StartDeal(seeded_pack(rules, seed)))


def apply_action(state: State, seat: int | None, action: Action) -> State:
    """Return the state after the action; raise its refusal if it is not legal."""
    return fold(state, decide(state, seat, action))


Chooser: TypeAlias = Callable[[State, int, tuple[Step, ...]], Step]
"""Picks one of the legal steps for a seat."""


def steps_of_a_deal(state: State, choose: Random | Chooser, *, max_steps: int = 10_000) -> Iterator[PlayedAction]:
    """Play the deal to its end by legal steps, random or picked by `choose`, and yield each.

    Fail if a seat has none, or if the deal does not end in `max_steps` steps.
    """
    for _ in range(max_steps):
        seat = seat_to_act(state)
        if seat is None:
            return
        legal = legal_actions(state)
        assert legal, f"seat {seat} has nothing it may do in turn {state.turns}"
        action = choose.choice(legal) if isinstance(choose, Random) else choose(state, seat, legal)
        events = decide(state, seat, action)
        after = fold(state, events)
        yield PlayedAction(state, seat, action, events, after)
        state = after
    raise AssertionError(f"the deal did not end in {max_steps} steps")


def play_random_steps(rules: RuleSet, seed: int, steps: int, *, minimum: int = 50) -> State:
    """Return the state after that many random steps, or at the last step if the deal ends sooner."""
    state = deal_with_minimum(rules, seed, minimum=minimum)
    for number, played in enumerate(steps_of_a_deal(state, Random(seed))):
        if number >= steps or seat_to_act(played.after) is None:
            return played.before
    raise AssertionError("a deal that ends without an end")


def one_form_of_each_rule_set() -> list[RuleSet]:
    """Return one form (rule set for a number of players) of every rule set, and all classic ones.

    That is the form for four if there is one. Slow tests try these in every run, and all forms in the soak.
    """
    chosen = [forms.get(4) or next(iter(forms.values())) for name, forms in RULE_SETS.items() if name != "classic"]
    return [*RULE_SETS["classic"].values(), *chosen]


def play_random_game(rules: RuleSet, seed: int, *, most_deals: int = 60) -> Iterator[PlayedAction]:
    """Yield random legal steps through all deals of a game."""
    random = Random(seed)
    state = new_game(rules, dealer=seed % rules.players)
    for deal in range(most_deals):
        if state.phase is Phase.OVER:
            return
        start = StartDeal(seeded_pack(rules, seed * 1000 + deal))
        events = decide(state, None, start)
        after = fold(state, events)
        yield PlayedAction(state, -1, start, events, after)
        state = after
        for played in steps_of_a_deal(state, random):
            yield played
            state = played.after


def cards_to_lay(state: State, step: Step, random: Random) -> tuple[Card, ...]:
    """Return cards of the hand in turn that the step could lay, in any suits."""
    hand = list(state.hands[state.turn])
    random.shuffle(hand)
    if isinstance(step, Meld):
        wanted = {**({step.kind: step.naturals} if step.naturals else {}), TWO: step.twos, JOKER: step.jokers}
    elif isinstance(step, Take):
        wanted = {state.pile[-1] >> 2: step.naturals, TWO: step.twos, JOKER: step.jokers}
    else:
        raise TypeError(step)
    return tuple(card for kind, count in wanted.items() for card in [one for one in hand if one >> 2 == kind][:count])


def random_act(state: State, random: Random) -> Action:
    """Return an act that a person might try: often legal, often not quite."""
    hand = list(state.hands[state.turn])
    random.shuffle(hand)
    if not hand or random.random() < 0.15:
        return DiscardCard(random.randrange(60))
    if random.random() < 0.2:
        return DiscardCard(hand[0])
    lays = tuple(_random_lay(state, hand, random) for _ in range(random.choice((1, 1, 2, 3))))
    if state.phase is Phase.DRAW and state.pile:
        return TakePile(_choose_cards_of_kind(hand, state.pile[-1] >> 2, random), lays[1:])
    return LayMelds(lays)


def _random_lay(state: State, hand: list[Card], random: Random) -> Lay:
    kind = random.choice(hand) >> 2
    melds = state.melds[state.seating.side_by_seat[state.turn]]
    onto = random.randrange(len(melds) + 1) if melds and random.random() < 0.2 else None
    return Lay(_choose_cards_of_kind(hand, kind, random), onto)


def _choose_cards_of_kind(hand: list[Card], kind: int, random: Random) -> tuple[Card, ...]:
    """Return most of the hand's cards of a kind, and perhaps a wild card or one that does not fit."""
    own = [card for card in hand if card >> 2 == kind]
    wilds = [card for card in hand if card >> 2 in (TWO, JOKER)]
    chosen = own[: random.choice((len(own), len(own), 2, 3))] + wilds[: random.choice((0, 0, 1, 2))]
    if random.random() < 0.05:
        chosen += hand[:1]
    return tuple(chosen)


def play_scripted_steps(state: State, seed: int, steps: int) -> Iterator[PlayedAction]:
    """Yield legal steps of a deal, each chosen from the list by SHA-256 of ``"seed:number"``."""
    for number in range(steps):
        seat = seat_to_act(state)
        if seat is None:
            return
        legal = legal_actions(state)
        action = legal[int.from_bytes(sha256(f"{seed}:{number}".encode()).digest()[:8], "big") % len(legal)]
        events = decide(state, seat, action)
        after = fold(state, events)
        yield PlayedAction(state, seat, action, events, after)
        state = after
