"""Shuffling: permutations computed from a key, each equally likely (`docs/shuffle.md`).

There is no randomness here: anyone with the key can compute the order. The key of a pack is drawn by
`bot.tables.state.shuffle`. The key of a reshuffled discard pile follows from the order of the deal's whole pack. Nobody
at the table knows that order before its seed is published, and everybody can check it afterwards.

Streams: a stock in which every seat has its own cards, whatever the others draw. If n seats play, a seat's stream is
every n-th card of the dealt stock, beginning with the first card that the seat would draw if each drew one card in
turn. A seat draws from its own stream, from the first card on. When its stream is empty, it draws the last cards of the
stream that was longest when its turn began (if several are equal, that of the seat that plays sooner), then of the next
longest.

So the pack alone decides which card a seat draws as its k-th, as long as its stream lasts. No order of cards becomes
more likely: the streams are a fixed rearrangement of the stock, every order of which was equally likely, and nobody
looks at them.

The stock itself stays one sequence of cards whose end is its top. When a turn begins, the streams are put together
again with that seat's stream on top, so drawing works as without streams. `State.streams` holds the lengths by seat at
that moment.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from typing import Final

from bot.engine.cards.cards import Card
from bot.engine.cards.notation import cards_text

_WORDS_BELOW: Final = 2**32
_RESHUFFLE_PREFIX: Final = b"canasta-reshuffle-v1\0"


def random_numbers(key: bytes) -> Iterator[int]:
    """Yield 32-bit numbers without end, computed from the key: eight from each HMAC-SHA-256 digest."""
    block = 0
    while True:
        digest = hmac.digest(key, block.to_bytes(8, "big"), "sha256")
        for start in range(0, len(digest), 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def shuffled_numbers(n: int, stream: Iterator[int]) -> tuple[int, ...]:
    """Return the numbers from 0 to `n` - 1, shuffled by the 32-bit numbers of `stream`.

    Every order is equally likely (Fisher and Yates).
    """
    order = list(range(n))
    for last in range(n - 1, 0, -1):
        chosen = next_number_below(last + 1, stream)
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


def next_number_below(n: int, stream: Iterator[int]) -> int:
    """Return a number from 0 to `n` - 1, made from the next 32-bit number of `stream`.

    Numbers past the last whole multiple of `n` are skipped, because they would favour small results.
    """
    limit = _WORDS_BELOW - _WORDS_BELOW % n
    return next(word for word in stream if word < limit) % n


# --- a pile that becomes the stock ------------------------------------------------------------------------------------


def first_reshuffle_key(pack: Sequence[Card]) -> str:
    """Return the key for a deal's first reshuffle, in hexadecimal: the hash of its pack's order."""
    return hashlib.sha256(_RESHUFFLE_PREFIX + cards_text(pack).encode("ascii")).hexdigest()


def next_reshuffle_key(key: str) -> str:
    """Return the key for the next reshuffle of the same deal."""
    return hashlib.sha256(_RESHUFFLE_PREFIX + key.encode("ascii")).hexdigest()


def reshuffle_cards(cards: Sequence[Card], key: str) -> tuple[Card, ...]:
    """Return the cards, shuffled by the key, in the order in which they will be drawn."""
    return tuple(cards[place] for place in shuffled_numbers(len(cards), random_numbers(key.encode("ascii"))))


# --- a stream for every seat ------------------------------------------------------------------------------------------


def split_into_streams(
    stock: Sequence[Card], order: Sequence[int], players: int
) -> tuple[tuple[Card, ...], tuple[int, ...]]:
    """Return the stock with the first seat's stream on top, and the lengths of the streams by seat.

    `order` holds the seats that play, beginning with the one that draws first; `stock` ends with its top.
    """
    cards = tuple(reversed(stock))
    streams = {seat: cards[place :: len(order)] for place, seat in enumerate(order)}
    return _stack_streams(streams, order, players)


def rearrange_streams(
    stock: Sequence[Card], lengths: Sequence[int], before: Sequence[int], order: Sequence[int]
) -> tuple[tuple[Card, ...], tuple[int, ...]]:
    """Return the stock with the stream of the next seat on top, and the lengths by seat.

    `lengths` are those with which the last turn began. `before` and `order` hold the seats that play, beginning with
    the seat of the last turn and of the coming turn.
    """
    drawn = sum(lengths) - len(stock)
    streams: dict[int, tuple[Card, ...]] = {}
    end = len(stock)
    for seat in _seats_by_stream(lengths, before):
        gone = min(drawn, lengths[seat])
        drawn -= gone
        start = end - (lengths[seat] - gone)
        left = tuple(stock[start:end])
        # the stream of the seat in turn comes first; unlike the others, it ends with its top card
        streams[seat] = left if streams else left[::-1]
        end = start
    return _stack_streams(streams, order, len(lengths))


def _stack_streams(
    streams: dict[int, tuple[Card, ...]], order: Sequence[int], players: int
) -> tuple[tuple[Card, ...], tuple[int, ...]]:
    """Return the streams laid one on the other, the first seat's on top, and their lengths by seat."""
    lengths = tuple(len(streams.get(seat, ())) for seat in range(players))
    own, *others = [streams[seat] for seat in _seats_by_stream(lengths, order)]
    lent = [card for one in reversed(others) for card in one]
    return (*lent, *reversed(own)), lengths


def _seats_by_stream(lengths: Sequence[int], order: Sequence[int]) -> list[int]:
    """Return the seats in the order in which their streams lie in the stock, from its top."""
    others = sorted(order[1:], key=lambda seat: -lengths[seat])
    return [order[0], *others]
