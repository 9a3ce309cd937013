"""Rulings: whether a seat may act so in a game as it stands, and why; nothing comes of the asking.

A ruling goes by what the seat may know. The other hands, the feet and the stock are replaced by the cards that are
left over, in an order of their own, so that the ruling is the same whatever they really are.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import islice

from bot.engine.law.citing import paragraph_of
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
from bot.engine.play.decide import decide, why_not
from bot.engine.table.evolve import at_turn_of, fold
from bot.engine.table.state import State, actor

_AFTER_THE_DRAW = (LayMelds, DiscardCard, Announce)
"""Actions that are judged as if the seat had drawn, where it is not its turn."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """Legal if there is no `refusal`.

    `paragraphs` are those that say so; of a legal action those of what it brings about follow (`docs/law/classic.md`).
    `supposed` tells that it is not the seat's turn and that the ruling supposes it were, the table being as it is.
    """

    refusal: Refusal | None
    paragraphs: tuple[str, ...]
    supposed: bool

    @property
    def legal(self) -> bool:
        """Whether the rules allow it."""
        return self.refusal is None


def ruling(game: State, seat: int, action: Action) -> Ruling:
    """What the rules say to that seat's action, from what the seat knows."""
    state = blinded(game, seat)
    supposed = _may_suppose(state, seat)
    if supposed:
        state = _at_turn(state, seat, drawn=isinstance(action, _AFTER_THE_DRAW))
    refusal = Refusal(Code.NOT_YOUR_TURN, {"turn": state.turn}) if isinstance(action, StartDeal) else None
    refusal = refusal or why_not(state, seat, action)
    if refusal is not None:
        return Ruling(refusal, (paragraph_of(state.rules, refusal),), supposed)
    return Ruling(None, (PARAGRAPHS[type(action)], *_brought_about(decide(state, seat, action))), supposed)


def blinded(game: State, seat: int) -> State:
    """The game with the cards that a seat does not know dealt out in an order that tells nothing.

    Nobody knows a foot that has not been taken up, nor cards set aside for a turn to come, not even their own player,
    nor the cards hidden under the first upcard. Penalty cards lie open.
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


def _may_suppose(state: State, seat: int) -> bool:
    """Whether it is another seat's turn while this one plays in the deal."""
    acting = actor(state)
    asked = state.phase is phases.ANSWER and seat == state.turn
    return acting is not None and seat != acting and not asked and seat in state.seating.seats


def _at_turn(state: State, seat: int, *, drawn: bool) -> State:
    """The table as it is, at the seat's turn; what a side has laid and not yet opened with is taken back before."""
    if not state.opened[state.side]:
        while state.laid and why_not(state, state.turn, TAKE_BACK) is None:
            state = fold(state, decide(state, state.turn, TAKE_BACK))
    begun = at_turn_of(state, seat)
    return replace(begun, phase=phases.PLAY, drew="stock") if drawn else begun


def _brought_about(events: tuple[Event, ...]) -> tuple[str, ...]:
    """The paragraphs of what a legal action does besides."""
    opening = [INITIAL_MELD for event in events if isinstance(event, Opened)]
    ended = [event for event in events if isinstance(event, DealEnded) and event.reason is DealEnd.OUT]
    return (*opening, *(CONCEALED if event.concealed else GOING_OUT for event in ended))
