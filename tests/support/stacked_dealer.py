"""A dealer for tests: it deals chosen cards, and draws the same seeds in every run."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from random import Random

from bot.engine.cards.cards import Card
from bot.tables.state.shuffle import SEED_BYTES, Dealer


def random_seeds() -> Iterator[bytes]:
    """Yield pseudo-random seeds, the same in every run."""
    random = Random(1)
    while True:
        yield random.randbytes(SEED_BYTES)


def numbered_seeds(first: int = 1) -> Iterator[bytes]:
    """Yield the numbers from `first` as seeds."""
    return (number.to_bytes(SEED_BYTES, "big") for number in itertools.count(first))


class StackedDealer(Dealer):
    """A dealer that deals `pack` every time; without a pack it shuffles as the program does.

    Its seeds come from `seeds`.
    """

    def __init__(self, pack: tuple[Card, ...] | None = None, *, seeds: Iterator[bytes] | None = None) -> None:
        self.pack = pack
        self.seeds = seeds or random_seeds()

    def new_seed(self) -> bytes:
        return next(self.seeds)

    def deal_pack(
        self, seed: bytes, table: int, deal: int, contributions: Sequence[str], *, decks: int, jokers_per_deck: int
    ) -> tuple[Card, ...]:
        if self.pack is not None:
            return self.pack
        return super().deal_pack(seed, table, deal, contributions, decks=decks, jokers_per_deck=jokers_per_deck)
