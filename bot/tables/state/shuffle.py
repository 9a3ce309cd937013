"""The shuffle `canasta-shuffle-v1`, which players can verify afterwards (`docs/shuffle.md`).

A seed is drawn and a commitment to it published; then the players contribute. Seed and contributions determine the
order of the pack. The seed is published with the score. No other module uses `secrets`.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from typing import Final

from bot.engine.cards.cards import Card, full_pack
from bot.engine.cards.shuffling import random_numbers, shuffled_numbers

NAME: Final = "canasta-shuffle-v1"
SEED_BYTES: Final = 32

_COMMIT: Final = NAME.encode("ascii") + b"\0commit\0"
_KEY: Final = NAME.encode("ascii") + b"\0key\0"


def new_seed() -> bytes:
    """Return a new unpredictable seed."""
    return secrets.token_bytes(SEED_BYTES)


def commitment(seed: bytes, table: int, deal: int) -> str:
    """Return the commitment to a deal's seed, in hexadecimal.

    Another seed, table or deal has another commitment.
    """
    return commitment_for_name(seed, deal_name(table, deal))


def commitment_for_name(seed: bytes, name: bytes) -> str:
    """Return the commitment to the seed of the deal or board of that name, in hexadecimal."""
    return hashlib.sha256(_COMMIT + name + b"\0" + _require_valid_seed(seed)).hexdigest()


def digest_of_contributions(contributions: Sequence[str]) -> str:
    """Return the players' share in the shuffle, in hexadecimal, from the contributions in seat order.

    Raises `ValueError` for a contribution with a line break, which could be read as two.
    """
    if any("\n" in contribution for contribution in contributions):
        raise ValueError("a contribution is one line")
    return hashlib.sha256("\n".join(contributions).encode("utf-8")).hexdigest()


def shuffle_key(seed: bytes, table: int, deal: int, client: str) -> bytes:
    """Return the key of the random stream that orders the pack."""
    return _shuffle_key_for_name(seed, deal_name(table, deal), client)


def _shuffle_key_for_name(seed: bytes, name: bytes, client: str) -> bytes:
    """Return the key of the random stream for the deal of that name."""
    message = _KEY + name + b";client=" + client.encode("ascii")
    return hmac.digest(_require_valid_seed(seed), message, "sha256")


def permutation(seed: bytes, table: int, deal: int, client: str, n: int) -> tuple[int, ...]:
    """Return the order in which a deal's cards are dealt, as numbers of cards from 0.

    The numbers refer to the published list of all cards.
    """
    return permutation_for_name(seed, deal_name(table, deal), client, n)


def permutation_for_name(seed: bytes, name: bytes, client: str, n: int) -> tuple[int, ...]:
    """Return the order in which the cards of the named deal or board are dealt, as numbers from 0."""
    return shuffled_numbers(n, random_numbers(_shuffle_key_for_name(seed, name, client)))


def deal_pack(
    seed: bytes, table: int, deal: int, contributions: Sequence[str], *, decks: int, jokers_per_deck: int
) -> tuple[Card, ...]:
    """Return the pack in the order in which it is dealt."""
    return pack_for_name(seed, deal_name(table, deal), contributions, decks=decks, jokers_per_deck=jokers_per_deck)


class Dealer:
    """Draws the seeds and shuffles the packs. Tests substitute a dealer with known seeds or packs."""

    def new_seed(self) -> bytes:
        """Return a new unpredictable seed."""
        return new_seed()

    def deal_pack(
        self, seed: bytes, table: int, deal: int, contributions: Sequence[str], *, decks: int, jokers_per_deck: int
    ) -> tuple[Card, ...]:
        """Return the pack in the order in which it is dealt."""
        return deal_pack(seed, table, deal, contributions, decks=decks, jokers_per_deck=jokers_per_deck)


def pack_for_name(
    seed: bytes, name: bytes, contributions: Sequence[str], *, decks: int, jokers_per_deck: int
) -> tuple[Card, ...]:
    """Return the pack in the order in which it is dealt, for the deal or board of that name."""
    published = full_pack(decks, jokers_per_deck)
    order = permutation_for_name(seed, name, digest_of_contributions(contributions), len(published))
    return tuple(published[place] for place in order)


def deal_name(table: int, deal: int) -> bytes:
    """Return the name of a table's deal."""
    return f"table={table};deal={deal}".encode("ascii")


def board_name(tournament: int, board: int) -> bytes:
    """Return the name of a tournament's board; it differs from every deal's name.

    Several tables play the same board.
    """
    return f"event={tournament};board={board}".encode("ascii")


def _require_valid_seed(seed: bytes) -> bytes:
    """Return the seed if it has the right length. Raises `ValueError` otherwise."""
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes")
    return seed
