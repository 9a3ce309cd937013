"""Penalties charged for irregularities in the current deal, and their effects.

Penalty cards are cards of a hand that lie open. As long as a seat holds any, it must discard one of them; nothing else
is restricted, so a seat always has a legal step. If the rules forbid discarding each of them, any other card may be
discarded.

Decides `docs/law/classic.md 1.22`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from bot.engine.cards.cards import Card, value_class, with_item_replaced
from bot.engine.moves import phases

if TYPE_CHECKING:
    from bot.engine.moves.events import Penalized
    from bot.engine.table.state import State


@value_class
class Penalties:
    """The penalties of this deal, indexed by the seats that committed the irregularities.

    The seat's side will pay `points`, and its minimum is raised by `raised`. `exposed` holds the seat's penalty cards
    in ascending order. For seats in `until_opened` they become free when their side opens.
    """

    points: tuple[int, ...]
    raised: tuple[int, ...]
    exposed: tuple[tuple[Card, ...], ...]
    until_opened: frozenset[int] = frozenset()

    def with_penalty_cards(self, seat: int, cards: tuple[Card, ...]) -> Penalties:
        """Return the penalties with these further penalty cards of a seat."""
        return replace(self, exposed=with_item_replaced(self.exposed, seat, tuple(sorted(self.exposed[seat] + cards))))

    def without_cards(self, seat: int, cards: Iterable[Card]) -> Penalties:
        """Return the penalties after these cards have left a seat's hand."""
        return replace(self, exposed=with_item_replaced(self.exposed, seat, remove_if_held(self.exposed[seat], cards)))


def with_penalty(state: State, event: Penalized) -> Penalties:
    """Return the deal's penalties after the event.

    Former penalty cards that became free do not become penalty cards again.
    """
    seat, shown = event.seat, penalty_cards(state, event.seat)
    none = (0,) * state.rules.players
    before = state.penalties or Penalties(none, none, ((),) * state.rules.players)
    until_opened = before.until_opened - {seat} if event.exposed else before.until_opened
    if event.until_opened and (seat in before.until_opened or not shown):
        until_opened |= {seat}
    return Penalties(
        points=with_item_replaced(before.points, seat, before.points[seat] + event.points),
        raised=with_item_replaced(before.raised, seat, before.raised[seat] + event.raised),
        exposed=with_item_replaced(before.exposed, seat, tuple(sorted(shown + event.exposed))),
        until_opened=until_opened,
    )


def penalty_points(state: State, side: int) -> int:
    """Return the points that the side must pay for irregularities of this deal."""
    if state.penalties is None:
        return 0
    return sum([state.penalties.points[seat] for seat in state.seating.seats_of(side)])


def minimum_raised_by(state: State, side: int) -> int:
    """Return the points by which the side's minimum is raised in this deal."""
    if state.penalties is None or state.phase in (phases.BETWEEN, phases.OVER):
        return 0
    return sum([state.penalties.raised[seat] for seat in state.seating.seats_of(side)])


def penalty_cards(state: State, seat: int) -> tuple[Card, ...]:
    """Return the penalty cards of which the seat must discard one, in ascending order."""
    penalties = state.penalties
    if penalties is None:
        return ()
    if seat in penalties.until_opened and state.opened[state.seating.side_by_seat[seat]]:
        return ()
    return penalties.exposed[seat]


def remove_if_held(cards: Iterable[Card], removed: Iterable[Card]) -> tuple[Card, ...]:
    """Return the cards without `removed`, each removed once if it is there."""
    left = list(cards)
    for card in removed:
        if card in left:
            left.remove(card)
    return tuple(left)
