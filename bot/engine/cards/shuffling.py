"""Shuffling: orders that follow from a key, each as likely as any other (`docs/shuffle.md`).

Nothing here is chance: whoever knows the key can work out the order. The key of a pack is drawn by
`bot.tables.shuffle`; that of a pile shuffled again follows from the order of the deal's whole pack, which nobody at the
table knows before its seed is published, and which everybody can check afterwards.
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
