"""Seeds for random tests: few and fixed in a normal run, many and new ones in a search.

`make nightly` sets both numbers. Only laws that hold for every seed ask here; a failure names its seed.
"""

from __future__ import annotations

import os
from typing import Final

FROM: Final = int(os.environ.get("SEEDS_FROM", "0"))
"""Added to every seed; the clock of the night's run."""

TIMES: Final = int(os.environ.get("SEEDS_TIMES", "1"))
"""So many times as many as in every run."""

SEARCHING: Final = TIMES > 1
"""Whether somebody has the time to try everything, of which every run tries a part."""

EVERY_RUN: Final = 50
"""Examples of Hypothesis for a law, where the law itself does not say how many."""

SEARCHED: Final = 2_000
"""As many where new ones are looked for."""


def seeds(count: int, first: int = 0) -> range:
    """As many as that in every run, in a row from `first`; rows that do not meet here meet nowhere."""
    return range(FROM + first * TIMES, FROM + (first + count) * TIMES)


def examples(count: int) -> int:
    """As many of Hypothesis in every run; `HYPOTHESIS_PROFILE=search` multiplies them as it does elsewhere."""
    return count * SEARCHED // EVERY_RUN if os.environ.get("HYPOTHESIS_PROFILE") == "search" else count
