"""Names and notes of a table that pictures and descriptions share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from bot.engine.cards.cards import Card, kind_of, suit_of
from bot.engine.table.views import PublicView, SeatView, SideView
from render.drawable_names import single_line_name
from render.picture_words import PictureWords, rank_text

SIGNS: Final = "♠♥♦♣"
JOKER_SIGN: Final = "JK"


def seat_name(names: Sequence[str], seat: int, words: PictureWords) -> str:
    """Return the name of a seat, or its number if it has none; `names` are by seat."""
    name = single_line_name(names[seat]) if seat < len(names) else ""
    return name or words.seat.format(n=seat + 1)


def side_name(names: Sequence[str], side: SideView, words: PictureWords) -> str:
    """Return the names of a side's players."""
    return " & ".join(seat_name(names, seat, words) for seat in side.seats)


def sides_with_own_first(view: SeatView) -> tuple[SideView, ...]:
    """Return the sides as a seat's view orders them: its own, then the others in order of play."""
    sides, own = view.table.sides, view.side.side
    return (*sides[own:], *sides[:own])


def is_frozen_for(view: SeatView) -> bool:
    """Return whether the pile is frozen for all or for the viewer's side.

    The viewer then needs a natural pair to take it.
    """
    return bool(view.table.pile.cards) and view.table.is_frozen_for(view.seat)


def cards_with_signs(cards: Iterable[Card]) -> str:
    """Return the cards as text with suit symbols, for a picture: "7♠ K♥"."""
    shown = ((rank_text(kind_of(card)), SIGNS[suit_of(card)]) for card in cards)
    return " ".join(rank + sign if rank else JOKER_SIGN for rank, sign in shown)


def table_notes(
    view: PublicView, names: Sequence[str], words: PictureWords, cards_text: Callable[[tuple[Card, ...]], str]
) -> Iterator[str]:
    """Yield notes on resting players, open penalty cards, penalties, and cards out of play.

    `cards_text` converts cards to text.
    """
    if view.resting_seats:
        yield words.resting.format(names=", ".join(seat_name(names, seat, words) for seat in view.resting_seats))
    for info in view.seats:
        if info.exposed:
            yield words.exposed.format(name=seat_name(names, info.seat, words), cards=cards_text(info.exposed))
    for side in view.sides:
        name = side_name(names, side, words)
        if side.penalties:
            yield words.penalized.format(name=name, n=words.number_text(-abs(side.penalties)))
        if side.raised and not side.opened:
            yield words.raised.format(name=name, n=words.number_text(side.raised))
        if side.set_aside:
            yield words.set_aside.format(name=name, cards=cards_text(side.set_aside))
