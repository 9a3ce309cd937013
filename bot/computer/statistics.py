"""Means, spreads and confidence intervals of many deals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev
from typing import Final

NORMAL_95: Final = 1.959964
"""Half the width of a 95 % interval in standard errors; samples here are large enough for the normal law."""


@dataclass(frozen=True, slots=True)
class MeanAndDeviation:
    """A mean and the standard deviation of single values."""

    mean: float
    spread: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its 95 % interval."""

    mean: float
    low: float
    high: float


def mean_and_deviation(values: Sequence[float]) -> MeanAndDeviation:
    """Return mean and standard deviation; the latter is 0 for fewer than two values."""
    return MeanAndDeviation(fmean(values), stdev(values) if len(values) > 1 else 0.0)


def estimate_mean(values: Sequence[float]) -> Estimate:
    """Return the mean of independent values with its 95 % confidence interval.

    Deals of one pack are not independent: give each pack's mean as one value.
    """
    found = mean_and_deviation(values)
    reach = NORMAL_95 * found.spread / sqrt(len(values))
    return Estimate(found.mean, found.mean - reach, found.mean + reach)
