"""Seeds for random tests: few and fixed in a normal run, many and new ones in a search.

`make nightly` sets both numbers. Use these seeds only for properties that hold for every seed; a failure names its
seed.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final, TypeVar

Case = TypeVar("Case")

FROM: Final = int(os.environ.get("SEEDS_FROM", "0"))
"""Added to every seed; the nightly run sets it to the time."""

TIMES: Final = int(os.environ.get("SEEDS_TIMES", "1"))
"""Factor by which a search uses more seeds than a normal run."""

SEARCHING: Final = TIMES > 1
"""Whether this is a search, which tries every case; a normal run tries only a part of them."""

EVERY_RUN: Final = 50
"""Number of Hypothesis examples for a property that does not state its own number."""

SEARCHED: Final = 2_000
"""Number of Hypothesis examples in a search for new ones."""


def seeds(count: int, first: int = 0) -> range:
    """Return that many seeds from `first`, and in a search several times as many.

    Distinct ranges never overlap.
    """
    return range(FROM + first * TIMES, FROM + (first + count) * TIMES)


def sample_cases(cases: Sequence[Case], turn: int) -> Sequence[Case]:
    """Return one third of the cases; `turn` says which.

    Three consecutive turns cover all cases. In a search (`make nightly`), return all of them.
    """
    return cases if SEARCHING else cases[turn % 3 :: 3]


def example_count(count: int) -> int:
    """Return the number of Hypothesis examples: `count`, or forty times as many in a search."""
    return count * SEARCHED // EVERY_RUN if os.environ.get("HYPOTHESIS_PROFILE") == "search" else count
