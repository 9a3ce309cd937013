"""Shuffling: orders that follow from a key, each as likely as any other (`docs/shuffle.md`).

Nothing here is chance: whoever knows the key can work out the order. The key of a pack is drawn by
`bot.tables.state.shuffle`; that of a pile shuffled again follows from the order of the deal's whole pack, which
nobody at the
table knows before its seed is published, and which everybody can check afterwards.

Streams: a stock in which every seat has cards of its own, whatever the others draw. Where n seats play, the stream of a
seat is every n-th card of the stock as it was dealt, from the one that the seat would have drawn first if each drew one
card in turn. A seat draws from its own stream, from the first card on. Where its stream runs out, it draws the last
cards of the stream that was the longest as its turn began; of equally long ones, that of the seat that plays sooner;
then of the next longest.

So the pack alone settles which card a seat draws as its k-th, as long as its stream lasts. No order of cards is
likelier than before: the streams are a fixed rearrangement of the stock, every order of which was equally likely, and
nobody looks at them.

The stock itself stays one row of cards whose end is its top. As a turn begins the streams are put together anew, that
of its seat on top; so drawing is what it is without streams. `State.streams` says by seat how many cards each had then.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from typing import Final

from bot.engine.cards.cards import Card
from bot.engine.cards.notation import cards_text

_WORD: Final = 2**32
_AGAIN: Final = b"canasta-reshuffle-v1\0"


def words(key: bytes) -> Iterator[int]:
    """An endless stream of 32-bit numbers that follows from the key, eight a block."""
    block = 0
    while True:
        digest = hmac.digest(key, block.to_bytes(8, "big"), "sha256")
        for start in range(0, len(digest), 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def shuffled(n: int, stream: Iterator[int]) -> tuple[int, ...]:
    """The numbers below `n` in an order that follows from the key, every order equally likely (Fisher and Yates)."""
    order = list(range(n))
    for last in range(n - 1, 0, -1):
        chosen = below(last + 1, stream)
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


def below(n: int, stream: Iterator[int]) -> int:
    """The next number below `n` of the stream.

    Words past the last whole multiple of `n` are skipped: they would favour small numbers.
    """
    limit = _WORD - _WORD % n
    return next(word for word in stream if word < limit) % n


# --- a pile that becomes the stock ------------------------------------------------------------------------------------


def key_of(pack: Sequence[Card]) -> str:
    """The key of a deal's first new stock, in hexadecimal: the hash of its pack's order."""
    return hashlib.sha256(_AGAIN + cards_text(pack).encode("ascii")).hexdigest()


def next_key(key: str) -> str:
    """The key of the next new stock of the same deal."""
    return hashlib.sha256(_AGAIN + key.encode("ascii")).hexdigest()


def reordered(cards: Sequence[Card], key: str) -> tuple[Card, ...]:
    """The cards in the order in which they are drawn next."""
    return tuple(cards[place] for place in shuffled(len(cards), words(key.encode("ascii"))))


# --- a stream for every seat ------------------------------------------------------------------------------------------


def into_streams(stock: Sequence[Card], order: Sequence[int], players: int) -> tuple[tuple[Card, ...], tuple[int, ...]]:
    """The stock with the stream of the first seat on top, and how long the streams are, by seat.

    `order` are the seats that play, from the one that draws first; `stock` ends with its top.
    """
    cards = tuple(reversed(stock))
    streams = {seat: cards[place :: len(order)] for place, seat in enumerate(order)}
    return _together(streams, order, players)


def streams_turned(
    stock: Sequence[Card], lengths: Sequence[int], before: Sequence[int], order: Sequence[int]
) -> tuple[tuple[Card, ...], tuple[int, ...]]:
    """The stock with the stream of another seat on top, and how long the streams are now, by seat.

    `lengths` are those with which the last turn began. `before` and `order` are the seats that play: from the one whose
    turn it was, and from the one whose turn it is.
    """
    drawn = sum(lengths) - len(stock)
    streams: dict[int, tuple[Card, ...]] = {}
    end = len(stock)
    for seat in _by_rank(lengths, before):
        gone = min(drawn, lengths[seat])
        drawn -= gone
        start = end - (lengths[seat] - gone)
        left = tuple(stock[start:end])
        streams[seat] = left if streams else left[::-1]  # the first is that of the seat in turn
        end = start
    return _together(streams, order, len(lengths))


def _together(
    streams: dict[int, tuple[Card, ...]], order: Sequence[int], players: int
) -> tuple[tuple[Card, ...], tuple[int, ...]]:
    lengths = tuple(len(streams.get(seat, ())) for seat in range(players))
    own, *others = [streams[seat] for seat in _by_rank(lengths, order)]
    lent = [card for one in reversed(others) for card in one]
    return (*lent, *reversed(own)), lengths


def _by_rank(lengths: Sequence[int], order: Sequence[int]) -> list[int]:
    """The seats in the order in which their streams lie in the stock, from its top."""
    others = sorted(order[1:], key=lambda seat: -lengths[seat])
    return [order[0], *others]
