"""What is to be said of a table beside its melds and scores: the same in pictures and in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from bot.engine.cards import Card, kind_of, suit_of
from bot.engine.views import SideView
from render.inputs import BoardPicture
from render.names import bounded
from render.words import rank_text

SIGNS: Final = "♠♥♦♣"
JOKER_SIGN: Final = "JK"


def seat_name(picture: BoardPicture, seat: int) -> str:
    """The name of a seat, or its number."""
    name = bounded(picture.names[seat]) if seat < len(picture.names) else ""
    return name or picture.words.seat.format(n=seat + 1)


def side_name(picture: BoardPicture, side: SideView) -> str:
    """The names of those who play for a side."""
    return " & ".join(seat_name(picture, seat) for seat in side.seats)


def signs(cards: Iterable[Card]) -> str:
    """The cards with the signs of their suits, for a picture: "7♠ K♥"."""
    shown = ((rank_text(kind_of(card)), SIGNS[suit_of(card)]) for card in cards)
    return " ".join(rank + sign if rank else JOKER_SIGN for rank, sign in shown)


def notes(picture: BoardPicture, told: Callable[[tuple[Card, ...]], str]) -> Iterator[str]:
    """Who rests, which penalty cards lie open, what irregularities cost, which cards are out of play.

    `told` makes text of cards.
    """
    view, words = picture.view, picture.words
    if view.resting:
        yield words.resting.format(names=", ".join(seat_name(picture, seat) for seat in view.resting))
    for info in view.seats:
        if info.exposed:
            yield words.exposed.format(name=seat_name(picture, info.seat), cards=told(info.exposed))
    for side in view.sides:
        if side.penalties:
            yield words.penalized.format(name=side_name(picture, side), n=words.number(-abs(side.penalties)))
        if side.raised and not side.opened:
            yield words.raised.format(name=side_name(picture, side), n=words.number(side.raised))
        if side.set_aside:
            yield words.set_aside.format(name=side_name(picture, side), cards=told(side.set_aside))
