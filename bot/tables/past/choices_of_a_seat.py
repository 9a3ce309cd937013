"""The choices of one seat in a finished deal, each with its player's view and the step taken."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from bot.engine.cards.cards import JOKER, TWO, Card
from bot.engine.moves.actions import DRAW, NO, PASS, YES, Discard, LayRun, Meld, Step, Take
from bot.engine.moves.events import Answered, Discarded, Drew, Event, Melded, Passed, TookTop
from bot.engine.play.building_views import seat_view
from bot.engine.table.applying_events import evolve
from bot.engine.table.state import State, seat_to_act
from bot.engine.table.views import SeatView, public_event
from bot.tables.past.history import PastDeal, without_undone_events


@dataclass(frozen=True, slots=True)
class OwnChoice:
    """A step that a seat took, its view before it, and the public events of the deal until then."""

    turn: int
    view: SeatView = field(repr=False)
    happened: tuple[Event, ...] = field(repr=False)
    step: Step


@dataclass(frozen=True, slots=True)
class OwnDeal:
    """A finished deal as one seat played it. `pile` are the open cards with which its pile began."""

    number: int
    seat: int
    pile: tuple[Card, ...] = field(repr=False)
    deal: PastDeal = field(repr=False)

    def choices(self) -> Iterator[OwnChoice]:
        """Yield the seat's choices in order.

        Left out are automatic events, rare kinds of steps, and steps without an alternative.
        """
        state = self.deal.dealt
        happened: list[Event] = []
        for turn in self.deal.turns:
            for event in without_undone_events(turn.events):
                if getattr(event, "seat", None) == self.seat and seat_to_act(state) == self.seat:
                    yield from self._choice_of_event(turn.number, state, event, tuple(happened))
                state = evolve(state, event)
                happened.append(public_event(event))

    def _choice_of_event(self, turn: int, state: State, event: Event, events: tuple[Event, ...]) -> Iterator[OwnChoice]:
        """Yield the seat's choice that led to the event; nothing if there was no alternative."""
        if not isinstance(event, Drew | Melded | TookTop | Discarded | Passed | Answered):
            return
        view = seat_view(state, self.seat)
        step = _step_of(view, event)
        if step is not None and len(view.legal) > 1:
            yield OwnChoice(turn, view, events, step)


def _step_of(view: SeatView, event: Event) -> Step | None:
    """Return the legal step that caused the event, or None."""
    found: list[Step] = []
    match event:
        case Drew():
            found = [DRAW]
        case Passed():
            found = [PASS]
        case Answered(yes=yes):
            found = [YES if yes else NO]
        case Discarded(card=card):
            found = [Discard(card >> 2)]
        case Melded(place=place, cards=cards):
            naturals, twos, jokers = _card_counts(cards)
            kinds = sorted(card >> 2 for card in cards)
            found = [Meld(place, naturals, twos, jokers), LayRun(place, kinds[0], kinds[-1])]
        case TookTop(place=place, cards=cards):
            counts = _card_counts(cards)
            found = [Take(*counts), Take(*counts, onto=place)]
    return next((step for step in found if step in view.legal), None)


def _card_counts(cards: tuple[Card, ...]) -> tuple[int, int, int]:
    """Return the numbers of naturals, twos and jokers."""
    kinds = [card >> 2 for card in cards]
    twos, jokers = kinds.count(TWO), kinds.count(JOKER)
    return len(kinds) - twos - jokers, twos, jokers
