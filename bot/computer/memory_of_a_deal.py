"""An attentive player's memory of a deal: the cards in the pile, and cards known to be in hands.

A memory is folded from public events alone, so it holds nothing that a person at the table could not know.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from bot.engine.cards.cards import Card, with_item_replaced
from bot.engine.moves.events import (
    Combined,
    Discarded,
    Event,
    Gathered,
    Melded,
    Penalized,
    Reclaimed,
    Reshuffled,
    TookBack,
    TookTop,
)


@dataclass(frozen=True, slots=True)
class Memory:
    """The public knowledge about the cards still in play in a deal.

    - `pile`: the pile's open cards from bottom to top, without those that lie face down below them.
    - `known`: by seat, cards that are certainly in the hand: they came with a pile, or were laid and taken back. When
      equal cards leave a hand, known ones are forgotten first, so that the rest stays certain.
    - `tops`: for each step that may still be taken back, the pile's card that it melded, or None.
    - `dropped`: by seat, its discards in order.
    """

    pile: tuple[Card, ...] = ()
    known: tuple[tuple[Card, ...], ...] = ()
    tops: tuple[Card | None, ...] = field(default=(), repr=False)
    dropped: tuple[tuple[Card, ...], ...] = ()

    def known_cards(self, seat: int) -> tuple[Card, ...]:
        """Return the cards known to be in the seat's hand."""
        return self.known[seat] if seat < len(self.known) else ()

    def discards_of(self, seat: int) -> tuple[Card, ...]:
        """Return the seat's discards in this deal, in order."""
        return self.dropped[seat] if seat < len(self.dropped) else ()

    def with_events(self, events: Iterable[Event]) -> Memory:
        """Return the memory after these events of the same deal; the events' hidden cards are not read."""
        memory = self
        for event in events:
            memory = _with_event(memory, event)
        return memory


BLANK: Final = Memory()
"""The memory of a player that remembers nothing."""


def begin_memory(players: int, pile: tuple[Card, ...]) -> Memory:
    """Return the memory at the start of a deal; `pile` holds the face-up cards of the pile."""
    return Memory(pile, ((),) * players, dropped=((),) * players)


def _with_event(memory: Memory, event: Event) -> Memory:
    """Return the memory after one event."""
    match event:
        case Discarded():
            less = _with_discard(_with_cards_lost(memory, event.seat, (event.card,)), event.seat, event.card)
            return replace(less, pile=(*memory.pile, event.card), tops=())
        case Melded():
            return replace(_with_cards_lost(memory, event.seat, event.cards), tops=(*memory.tops, None))
        case TookTop():
            less = _with_cards_lost(memory, event.seat, event.cards)
            return replace(less, pile=memory.pile[:-1], tops=(*memory.tops, event.top))
        case Combined():
            return replace(memory, tops=(*memory.tops, None))
        case TookBack():
            top = memory.tops[-1] if memory.tops else None
            pile = memory.pile if top is None else (*memory.pile, top)
            return replace(_with_cards_gained(memory, event.seat, event.cards), pile=pile, tops=memory.tops[:-1])
        case Gathered():
            taken = event.count + len(event.red_threes) + len(event.set_aside)
            held = _with_cards_shown(memory, event.seat, event.showed)
            pile = memory.pile[: max(0, len(memory.pile) - taken)]
            return replace(_with_cards_gained(held, event.seat, event.cards), pile=pile, tops=())
        case Reclaimed():
            return replace(_with_cards_gained(memory, event.seat, event.cards), tops=())
        case Reshuffled():
            return replace(memory, pile=memory.pile[-1:])
        case Penalized():
            return _with_cards_shown(memory, event.seat, event.exposed)
        case _:
            return memory


def _with_discard(memory: Memory, seat: int, card: Card) -> Memory:
    """Return the memory after the seat has discarded the card."""
    if seat >= len(memory.dropped):
        return memory
    return replace(memory, dropped=with_item_replaced(memory.dropped, seat, (*memory.dropped[seat], card)))


def _with_cards_gained(memory: Memory, seat: int, cards: tuple[Card, ...]) -> Memory:
    """Return the memory after these open cards came to a hand."""
    if not cards or seat >= len(memory.known):
        return memory
    return replace(memory, known=with_item_replaced(memory.known, seat, tuple(sorted((*memory.known[seat], *cards)))))


def _with_cards_lost(memory: Memory, seat: int, cards: tuple[Card, ...]) -> Memory:
    """Return the memory after these cards left a hand."""
    if not memory.known_cards(seat):
        return memory
    left = Counter(memory.known[seat]) - Counter(cards)
    return replace(memory, known=with_item_replaced(memory.known, seat, tuple(sorted(left.elements()))))


def _with_cards_shown(memory: Memory, seat: int, cards: tuple[Card, ...]) -> Memory:
    """Return the memory after a hand has shown these cards, some of which may have been known already."""
    return _with_cards_gained(memory, seat, tuple((Counter(cards) - Counter(memory.known_cards(seat))).elements()))
