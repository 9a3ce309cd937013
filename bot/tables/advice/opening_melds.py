"""Openings: the cheapest melds that open a side, with those that a person has put together among them."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.cards.cards import Card
from bot.engine.moves.actions import Lay, LayMelds, Step
from bot.engine.moves.events import DealEnded, Event, Opened
from bot.engine.moves.refusals import Refusal
from bot.engine.play.decide import decide
from bot.engine.table.queries import minimum
from bot.engine.table.state import State
from bot.tables.advice.completing import Steps, completions
from bot.tables.advice.hand_cards import CLAIM, StagedMelds, cards_for_all, laying_of
from bot.tables.advice.offered import Laying, Opening


def opening_of(state: State, begun: StagedMelds, legal: Sequence[Step]) -> Opening | None:
    """The opening of the side in turn, which has not opened; None where none was found.

    `begun` are the melds put together, `legal` the steps from there.
    """
    if begun.lays and (enough := _tried(state, begun.lays, ())) is not None:
        return enough
    for steps in completions(begun.state, legal):
        _, melds, added = completed(state, begun, steps)
        found = _tried(state, melds, added)
        if found is not None:
            return found
    return None


def completed(
    state: State, begun: StagedMelds, steps: Steps
) -> tuple[tuple[Card, ...], tuple[Lay, ...], tuple[Laying, ...]]:
    """The cards that join the top of the pile, all melds of the act, and what comes to those put together.

    Cards that join a meld put together are laid with it.
    """
    lying = list(state.spreads[state.side].by_place)
    claim: tuple[Card, ...] = ()
    melds = list(begun.lays)
    numbers = dict(begun.places)
    added = []
    for step, cards in cards_for_all(begun.state, steps):
        added.append(laying_of(begun.state, step, cards))
        number = numbers.get(step.place)
        if number == CLAIM:
            claim += cards
        elif number is not None:
            melds[number] = Lay((*melds[number].cards, *cards), melds[number].onto)
        else:
            numbers[step.place] = len(melds)
            melds.append(Lay(cards, lying.index(step.place) if step.place in lying else None))
    return claim, tuple(melds), tuple(added)


def _tried(state: State, melds: tuple[Lay, ...], added: tuple[Laying, ...]) -> Opening | None:
    """The opening that these melds are; None where the rules refuse them, or where the deal would end with them."""
    try:
        events = decide(state, state.turn, LayMelds(melds))
    except Refusal:
        return None
    points = opened_with(events)
    return None if points is None else Opening(melds, added, points, minimum(state, state.side))


def opened_with(events: Sequence[Event]) -> int | None:
    """The points with which a side has opened and not gone out; None if it has not."""
    if any(isinstance(event, DealEnded) for event in events):
        return None
    return next((event.points for event in events if isinstance(event, Opened)), None)
