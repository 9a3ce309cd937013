"""Comparing the tables of a board: IMPs, matchpoints, cross-IMP and victory points (`docs/tournaments.md` 4)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction
from typing import Final

STEPS: Final = (
    *(20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600),
    *(750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000),
)
"""The differences from which there is one IMP more, in units of swing."""

MOST: Final = 2000
"""All 20 victory points of a match, in hundredths."""
EVEN: Final = MOST // 2
BYE: Final = 1200
"""What a team gets for a round without a match, in hundredths of a victory point."""

_PRECISION: Final = 50


def imps(difference: int, unit: int) -> int:
    """The IMPs of a difference in card points, with its sign, where a unit of swing is that many points."""
    steps = bisect_right(STEPS, Fraction(abs(difference), unit))
    return steps if difference >= 0 else -steps


def victory_points(margin: int, boards: int) -> tuple[int, int]:
    """The victory points of both teams, in hundredths, for a margin of IMPs over so many boards; even for none.

    The continuous scale of the World Bridge Federation, as the specification writes it down: 15 times the root of the
    number of boards wins all 20, rounded half up to hundredths.
    """
    if boards == 0:
        return (EVEN, EVEN)
    with localcontext() as context:
        context.prec = _PRECISION
        golden = (Decimal(5).sqrt() - 1) / 2
        whole = 15 * Decimal(boards).sqrt()
        share = (1 - golden ** (3 * abs(margin) / whole)) / (1 - golden**3)
        ahead = min(MOST, int((EVEN + EVEN * share).quantize(Decimal(1), rounding=ROUND_HALF_UP)))
    return (ahead, MOST - ahead) if margin >= 0 else (MOST - ahead, ahead)


def matchpoints(nets: Sequence[int | None], adjusted: Sequence[int | None]) -> tuple[Fraction, ...]:
    """The matchpoints of one side at every table: 2 a beaten one and 1 an equal one among the tables scored.

    They are raised to what all tables together would give, (M·E+E−A)/A for A of E tables scored. A table without a net
    has its per cent of the most there are. At least one net has to be there.
    """
    tables, scored = len(nets), [net for net in nets if net is not None]
    most = 2 * (tables - 1)
    found = []
    for net, percent in zip(nets, adjusted, strict=True):
        if net is None:
            found.append(Fraction(most * (percent or 0), 100))
        else:
            beaten = sum(2 * (other < net) + (other == net) for other in scored) - 1
            found.append(Fraction(beaten * tables + tables - len(scored), len(scored)))
    return tuple(found)


def cross_imps(nets: Sequence[int | None], adjusted: Sequence[int | None], unit: int) -> tuple[Fraction, ...]:
    """The mean IMPs of one side at every table against each other table scored; `adjusted` are IMPs given instead."""
    scored = [net for net in nets if net is not None]
    found = []
    for net, given in zip(nets, adjusted, strict=True):
        if net is None:
            found.append(Fraction(given or 0))
        else:
            total = sum(imps(net - other, unit) for other in scored)  # itself among them, which adds nothing
            found.append(Fraction(total, max(1, len(scored) - 1)))
    return tuple(found)
