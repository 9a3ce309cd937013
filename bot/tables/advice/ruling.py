"""Rulings: whether an action of a seat would be legal now, and why. Nothing changes.

A ruling uses only what the seat may know. The other hands, the feet and the stock are replaced by the remaining cards
in a fixed order, so the ruling does not depend on the real hidden cards.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import islice

from bot.engine.moves import phases
from bot.engine.moves.actions import (
    CONCEALED,
    GOING_OUT,
    INITIAL_MELD,
    PARAGRAPHS,
    TAKE_BACK,
    Action,
    Announce,
    DiscardCard,
    LayMelds,
    StartDeal,
)
from bot.engine.moves.events import DealEnd, DealEnded, Event, Opened
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.play.decide import decide, why_not_allowed
from bot.engine.play.refusal_paragraphs import paragraph_of
from bot.engine.table.applying_events import fold, state_at_turn_of
from bot.engine.table.state import State, seat_to_act

_AFTER_THE_DRAW = (LayMelds, DiscardCard, Announce)
"""Actions judged as if the seat had drawn, when it is not its turn."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """The answer of the rules to an action: legal if there is no `refusal`.

    `paragraphs` are the paragraphs that apply, for a legal action also those of its effects (`docs/law/classic.md`).
    `supposed` means that it is not the seat's turn and the ruling is as if it were.
    """

    refusal: Refusal | None
    paragraphs: tuple[str, ...]
    supposed: bool

    @property
    def is_legal(self) -> bool:
        """Whether the rules allow the action."""
        return self.refusal is None


def ruling_on(game: State, seat: int, action: Action) -> Ruling:
    """Return the ruling about that seat's action, from what the seat knows."""
    state = state_without_hidden_cards(game, seat)
    supposed = _can_judge_as_own_turn(state, seat)
    if supposed:
        state = _state_at_turn(state, seat, drawn=isinstance(action, _AFTER_THE_DRAW))
    refusal = Refusal(Code.NOT_YOUR_TURN, {"turn": state.turn}) if isinstance(action, StartDeal) else None
    refusal = refusal or why_not_allowed(state, seat, action)
    if refusal is not None:
        return Ruling(refusal, (paragraph_of(state.rules, refusal),), supposed)
    return Ruling(None, (PARAGRAPHS[type(action)], *_effect_paragraphs(decide(state, seat, action))), supposed)


def state_without_hidden_cards(game: State, seat: int) -> State:
    """Return the game with all cards unknown to the seat replaced in a fixed order.

    Unknown are feet not taken up and cards set aside for a later turn, even to their own player, and the cards under
    the first upcard. Penalty cards are open.
    """
    shown = ((),) * game.rules.players if game.penalties is None else game.penalties.exposed
    open_cards = [
        hand if other == seat else tuple(sorted((Counter(hand) & Counter(shown[other])).elements()))
        for other, hand in enumerate(game.hands)
    ]
    everything = (*game.hands, *game.feet, *game.talons, game.pile[: game.hidden], game.stock)
    unknown = Counter(card for cards in everything for card in cards)
    unknown.subtract(card for cards in open_cards for card in cards)
    pool = iter(sorted(unknown.elements()))
    hands = [
        tuple(sorted((*seen, *islice(pool, len(hand) - len(seen)))))
        for hand, seen in zip(game.hands, open_cards, strict=True)
    ]
    feet = [tuple(islice(pool, len(foot))) for foot in game.feet]
    talons = [tuple(islice(pool, len(talon))) for talon in game.talons]
    pile = (*islice(pool, game.hidden), *game.pile[game.hidden :])
    return replace(
        game, hands=tuple(hands), feet=tuple(feet), talons=tuple(talons), pile=pile, stock=tuple(reversed(tuple(pool)))
    )


def _can_judge_as_own_turn(state: State, seat: int) -> bool:
    """Return whether to judge the action as if it were this seat's turn.

    That is so if the seat plays in the deal and another seat must act, except while its partner answers its question.
    """
    acting = seat_to_act(state)
    asked = state.phase is phases.ANSWER and seat == state.turn
    return acting is not None and seat != acting and not asked and seat in state.seating.seats


def _state_at_turn(state: State, seat: int, *, drawn: bool) -> State:
    """Return the table as if it were the seat's turn; melds of an unfinished opening are taken back first."""
    if not state.opened[state.side]:
        while state.laid and why_not_allowed(state, state.turn, TAKE_BACK) is None:
            state = fold(state, decide(state, state.turn, TAKE_BACK))
    begun = state_at_turn_of(state, seat)
    return replace(begun, phase=phases.PLAY, drew="stock") if drawn else begun


def _effect_paragraphs(events: tuple[Event, ...]) -> tuple[str, ...]:
    """Return the paragraphs of the rules about initial melds and going out, if these are in the events."""
    opening = [INITIAL_MELD for event in events if isinstance(event, Opened)]
    ended = [event for event in events if isinstance(event, DealEnded) and event.reason is DealEnd.OUT]
    return (*opening, *(CONCEALED if event.concealed else GOING_OUT for event in ended))
