"""Whether a plan can be played, and what its creator is told before it is published (`docs/tournaments.md` 1, 3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.law import DAY
from bot.tournaments.event.plan import Plan, length

DAYS_A_DEAL: Final = 8 * DAY
"""A deal between people who move when they have a minute lasts so long; shorter rounds are warned of."""

MEASURED: Final = 13 * MINUTE
"""A live deal of four lasts about so long."""

LONG: Final = 5 * HOUR


class Unfit(StrEnum):
    """Why a plan cannot be played; the value is its stable name."""

    NO_NAME = "no_name"
    STARTS_BEFORE_NOW = "starts_before_now"
    SEATS = "seats"  # the sides of the table and the persons of an entry do not come out even
    PARTNERS = "partners"  # one at a side has no partner to draw or to change
    PODS_ARE_SWISS = "pods_are_swiss"
    TOO_FEW_PLACES = "too_few_places"
    DUPLICATE_AT_FOUR = "duplicate_at_four"
    BOARDS = "boards"  # 1 to 36
    CHECK_IN = "check_in"  # closes before it opens


class Warned(StrEnum):
    """What may go wrong with a plan that can be played; the value is its stable name."""

    SHORT_ROUND = "short_round"  # shorter than its deals take
    LONG_EVENING = "long_evening"  # more than five hours


@dataclass(frozen=True, slots=True)
class Fitness:
    """What is wrong with a plan, and what its creator is warned of."""

    unfit: tuple[Unfit, ...]
    warned: tuple[Warned, ...]


def unfit_anyway(plan: Plan, now: int) -> Iterator[Unfit]:
    """What is wrong with the plan in every format, at that instant (UTC milliseconds)."""
    if not plan.name.strip():
        yield Unfit.NO_NAME
    if plan.starts_at <= now:
        yield Unfit.STARTS_BEFORE_NOW
    if plan.check_in_until >= plan.check_in_from:
        yield Unfit.CHECK_IN
    if plan.places < 2 * plan.players // plan.sides:
        yield Unfit.TOO_FEW_PLACES


def unfit_seats(plan: Plan) -> Iterator[Unfit]:
    """What is wrong with how entries fill the seats of a table."""
    alone = plan.traits.partners_change
    each = 2 if plan.for_teams else 1  # a team's pairs play at two tables
    if plan.players % plan.sides or (not alone and plan.entry_size * plan.sides != each * plan.players):
        yield Unfit.SEATS
    if (plan.drawn or alone) and plan.players == plan.sides:
        yield Unfit.PARTNERS


def warned(plan: Plan) -> Iterator[Warned]:
    """What may go wrong with the plan."""
    deals = plan.deals or 4
    if plan.duplicate is not None:
        deals = plan.duplicate.in_a_round
    if plan.round_time < deals * (MEASURED if plan.live else DAYS_A_DEAL):
        yield Warned.SHORT_ROUND
    if plan.live and (length(plan) or 0) > LONG:
        yield Warned.LONG_EVENING
