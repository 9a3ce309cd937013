"""The random draws of a tournament: all derive from one seed with a public commitment.

Each draw of a thing has a digest: HMAC-SHA-256 with the seed as its key, of the purpose in UTF-8, a zero byte, and the
thing's numbers in decimal with commas between. Order depends only on those digests, never on the order of the input, so
that anyone with the published seed can repeat every draw.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count
from struct import unpack
from typing import TypeAlias, TypeVar

Token: TypeAlias = int | tuple[int, ...]
"""A thing to draw: a number, such as a person's id, or several, such as the sorted ids of a pair."""

_Token = TypeVar("_Token", bound=Token)


def commitment(seed: bytes) -> str:
    """Return the SHA-256 of a seed in hexadecimal, to publish before its use."""
    return hashlib.sha256(seed).hexdigest()


@dataclass(frozen=True, slots=True)
class SeededDraw:
    """Random draws derived from `seed`, which stays secret until the tournament is closed."""

    seed: bytes = field(repr=False)

    def draw_number(self, purpose: str, thing: Token = ()) -> int:
        """Return the digest of `thing` for that purpose, as a number from 0 to 2^256 − 1."""
        numbers = (thing,) if isinstance(thing, int) else thing
        message = purpose.encode() + b"\0" + ",".join(map(str, numbers)).encode()
        return int.from_bytes(hmac.digest(self.seed, message, "sha256"), "big")

    def draw_order(self, things: Iterable[_Token], purpose: str) -> tuple[_Token, ...]:
        """Return the things sorted by their digests."""
        return tuple(sorted(things, key=lambda thing: self.draw_number(purpose, thing)))

    def draw_numbers(self, purpose: str) -> Iterator[int]:
        """Yield numbers from 0 to 2^32 − 1 without end: the digests of 0, 1, 2 …, each cut into eight."""
        for block in count():
            yield from unpack(">8I", self.draw_number(purpose, block).to_bytes(32, "big"))
