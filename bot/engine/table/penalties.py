"""Penalties: what irregularities have cost in the deal that is played, and what follows from it.

Penalty cards are cards of a hand that lie open. As long as a seat holds any, each of its discards has to be one of
them; nothing else is restricted, so a seat always keeps a legal step. Where the rules forbid each of them as a discard,
any other card may go.

Decides `docs/law/classic.md 1.22`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from bot.engine.cards.cards import Card, replaced, value
from bot.engine.moves import phases

if TYPE_CHECKING:
    from bot.engine.moves.events import Penalized
    from bot.engine.table.state import State


@value
class Penalties:
    """What irregularities have cost in this deal, by the seats that committed them.

    `points` are to be paid by the seat's side, and `raised` is by how much its minimum rose. `exposed` are the seat's
    penalty cards, in ascending order. The penalty cards of the seats in `until_opened` are free once their side has
    opened.
    """

    points: tuple[int, ...]
    raised: tuple[int, ...]
    exposed: tuple[tuple[Card, ...], ...]
    until_opened: frozenset[int] = frozenset()

    def exposing(self, seat: int, cards: tuple[Card, ...]) -> Penalties:
        """Return the penalties with these cards of a seat as penalty cards besides."""
        return replace(self, exposed=replaced(self.exposed, seat, tuple(sorted(self.exposed[seat] + cards))))

    def without(self, seat: int, cards: Iterable[Card]) -> Penalties:
        """Return the penalties once these cards have left a seat's hand."""
        return replace(self, exposed=replaced(self.exposed, seat, without_each(self.exposed[seat], cards)))


def paid(state: State, event: Penalized) -> Penalties:
    """Return the penalties with that event added.

    Cards that were penalty cards, and are free again, do not become penalty cards a second time.
    """
    seat, shown = event.seat, penalty_cards(state, event.seat)
    none = (0,) * state.rules.players
    before = state.penalties or Penalties(none, none, ((),) * state.rules.players)
    until_opened = before.until_opened - {seat} if event.exposed else before.until_opened
    if event.until_opened and (seat in before.until_opened or not shown):
        until_opened |= {seat}
    return Penalties(
        points=replaced(before.points, seat, before.points[seat] + event.points),
        raised=replaced(before.raised, seat, before.raised[seat] + event.raised),
        exposed=replaced(before.exposed, seat, tuple(sorted(shown + event.exposed))),
        until_opened=until_opened,
    )


def penalty_points(state: State, side: int) -> int:
    """Return the points that the side has to pay for irregularities of this deal."""
    if state.penalties is None:
        return 0
    return sum([state.penalties.points[seat] for seat in state.seating.seats_of(side)])


def raised_by(state: State, side: int) -> int:
    """By how many points the side's minimum is raised in this deal."""
    if state.penalties is None or state.phase in (phases.BETWEEN, phases.OVER):
        return 0
    return sum([state.penalties.raised[seat] for seat in state.seating.seats_of(side)])


def penalty_cards(state: State, seat: int) -> tuple[Card, ...]:
    """Return the penalty cards of which the seat has to discard one, in ascending order."""
    penalties = state.penalties
    if penalties is None:
        return ()
    if seat in penalties.until_opened and state.opened[state.seating.side_by_seat[seat]]:
        return ()
    return penalties.exposed[seat]


def without_each(cards: Iterable[Card], removed: Iterable[Card]) -> tuple[Card, ...]:
    """Return the cards left when each of `removed` has been taken out once, as far as it is among them."""
    left = list(cards)
    for card in removed:
        if card in left:
            left.remove(card)
    return tuple(left)
