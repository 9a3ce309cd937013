"""Check whether a plan can be played, and warn its creator (`docs/tournaments.md` 1, 3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.time_rules import DAY
from bot.tournaments.event.plan import Plan, total_time

DAYS_A_DEAL: Final = 8 * DAY
"""Time of a deal in a slow tournament; shorter rounds give a warning."""

MEASURED: Final = 13 * MINUTE
"""Approximate length of a live deal of four players."""

LONG: Final = 5 * HOUR


class PlanError(StrEnum):
    """Reasons why a plan cannot be played; the value is its stable name."""

    NO_NAME = "no_name"
    STARTS_BEFORE_NOW = "starts_before_now"
    SEATS = "seats"  # the entries do not fill the sides of a table
    PARTNERS = "partners"  # sides of one player have no partners to draw or change
    PODS_ARE_SWISS = "pods_are_swiss"
    TOO_FEW_PLACES = "too_few_places"
    DUPLICATE_AT_FOUR = "duplicate_at_four"
    BOARDS = "boards"  # the number of boards is not 1 to 36
    CHECK_IN = "check_in"  # entries close before they open
    TOO_FEW_PAIRS = "too_few_pairs"  # fewer than four pairs, so that boards cannot be compared
    TOO_MANY_PAIRS = "too_many_pairs"  # a duplicate of more than 40 pairs
    ROUNDS_OF_BOARDS = "rounds_of_boards"  # fewer than three rounds, or so many that opponents would meet twice
    BOARDS_DO_NOT_FIT = "boards_do_not_fit"  # no number of boards per round fits


class PlanWarning(StrEnum):
    """Possible problems of a playable plan; the value is its stable name."""

    SHORT_ROUND = "short_round"  # a round is shorter than its deals usually take
    LONG_EVENING = "long_evening"  # all rounds together take more than five hours


@dataclass(frozen=True, slots=True)
class PlanCheck:
    """The errors of a plan, and the warnings for its creator."""

    unfit: tuple[PlanError, ...]
    warned: tuple[PlanWarning, ...]


def general_plan_errors(plan: Plan, now: int) -> Iterator[PlanError]:
    """Yield the errors of a plan that are errors in every format; `now` is in UTC milliseconds."""
    if not plan.name.strip():
        yield PlanError.NO_NAME
    if plan.starts_at <= now:
        yield PlanError.STARTS_BEFORE_NOW
    if plan.check_in_until >= plan.check_in_from:
        yield PlanError.CHECK_IN
    if plan.places < 2 * plan.players // plan.sides:
        yield PlanError.TOO_FEW_PLACES


def seat_errors(plan: Plan) -> Iterator[PlanError]:
    """Yield the errors in how entries fill the seats of a table."""
    alone = plan.traits.partners_change
    each = 2 if plan.is_for_teams else 1  # a team's pairs play at two tables
    if plan.players % plan.sides or (not alone and plan.entry_size * plan.sides != each * plan.players):
        yield PlanError.SEATS
    if (plan.drawn or alone) and plan.players == plan.sides:
        yield PlanError.PARTNERS


def warnings_about(plan: Plan) -> Iterator[PlanWarning]:
    """Yield warnings about the plan."""
    deals = plan.deals or 4
    if plan.duplicate is not None:
        deals = plan.duplicate.in_a_round
    if plan.round_time < deals * (MEASURED if plan.live else DAYS_A_DEAL):
        yield PlanWarning.SHORT_ROUND
    if plan.live and (total_time(plan) or 0) > LONG:
        yield PlanWarning.LONG_EVENING
