"""The unit of swing of every rule set, by which margins of different games are compared.

Source: `docs/tournaments.md` 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

DEALS_MEASURED: Final = 300
"""Number of deals in which each deviation of `MEASURED_DEVIATIONS` was measured."""

UNITS_PER_DEVIATION: Final = 250
"""A unit is a deviation divided by this: a board then deviates by 5.5 to 7.5 IMPs, as in bridge."""

GIVEN_DEVIATIONS: Final[Mapping[str, int]] = {
    "classic": 541,
    "samba": 1160,
    "hand-and-foot": 1734,
    "modern-american": 3086,
}
"""The standard deviations, in card points, that the specification gives."""

MEASURED_DEVIATIONS: Final[Mapping[str, int]] = {
    "classic-13": 566,
    "classic-cut-throat": 625,
    "classic-rotating": 546,
    "classic-trios": 693,
    "bicycle": 528,
    "bicycle-13": 584,
    "bicycle-cut-throat": 576,
    "bicycle-rotating": 527,
    "bicycle-trios": 748,
    "singkep": 619,
    "singkep-13": 678,
    "singkep-alone": 534,
    "singkep-rotating": 619,
    "italian-club": 545,
    "gamerules": 535,
    "afrikaans": 546,
    "british": 546,
    "hand-and-foot-alone": 724,
    "hand-and-foot-us": 1545,
    "hand-and-foot-us-trios": 1936,
    "hand-and-foot-pagat": 1873,
    "hand-and-foot-pagat-trios": 2394,
    "pennies": 1876,
    "bolivia": 2276,
    "brazilian": 1645,
    "chilean": 2276,
    "tampa": 1584,
    "mexicana": 1592,
    "cuban": 842,
    "italian": 2005,
    "canastone": 1761,
    "uruguay": 633,
    "uruguay-modern": 955,
    "joker": 1175,
    "modern-american-13": 2815,
    "modern-american-pagat": 2975,
}
"""The standard deviation of a side's net in a deal between casual computer players, in card points.

Four players where there is such a form, else the fewest: ``canasta-bot bench swing`` measures them again.
"""

SWING_UNITS: Final[Mapping[str, int]] = {
    name: max(1, round(deviation / UNITS_PER_DEVIATION))
    for name, deviation in {**GIVEN_DEVIATIONS, **MEASURED_DEVIATIONS}.items()
}
"""The unit of every rule set, a whole number of card points."""
