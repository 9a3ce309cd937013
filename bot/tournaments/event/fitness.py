"""Whether a plan can be played, and what its creator is told before it is published (`docs/tournaments.md` 1, 3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from bot.tournaments.boards.teams import VICTORY
from bot.tournaments.course import FormatKind, Scoring
from bot.tournaments.event.event_plan import DAYS_A_DEAL, MEASURED, BoardScoring, Plan
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.standings.swing import swing_of


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


MOST_BOARDS = 36
LONG = 5 * 60 * 60 * 1000


def fitness(plan: Plan, now: int) -> Fitness:
    """What is wrong with the plan at that instant (UTC milliseconds)."""
    return Fitness(tuple(_unfit(plan, now)), tuple(_warned(plan)))


def require_fit(plan: Plan, now: int) -> None:
    """Refuse with plan_unfit a plan that cannot be played."""
    for problem in _unfit(plan, now):
        raise TournamentRefusal(TournamentCode.PLAN_UNFIT, {"problem": problem.value})


def _unfit(plan: Plan, now: int) -> Iterator[Unfit]:
    if not plan.name.strip():
        yield Unfit.NO_NAME
    if plan.starts_at <= now:
        yield Unfit.STARTS_BEFORE_NOW
    if plan.check_in_until >= plan.check_in_from:
        yield Unfit.CHECK_IN
    if plan.places < 2 * plan.players // plan.sides:
        yield Unfit.TOO_FEW_PLACES
    yield from _unfit_sides(plan)
    yield from _unfit_boards(plan)


def _unfit_sides(plan: Plan) -> Iterator[Unfit]:
    alone = plan.kind is FormatKind.INDIVIDUAL
    each = 2 if _teams(plan) else 1  # a team's pairs play at two tables
    if plan.players % plan.sides or (not alone and plan.entry_size * plan.sides != each * plan.players):
        yield Unfit.SEATS
    if (plan.drawn or alone) and plan.players == plan.sides:
        yield Unfit.PARTNERS
    if plan.sides == 3 and plan.kind not in (FormatKind.SWISS, FormatKind.INDIVIDUAL):
        yield Unfit.PODS_ARE_SWISS


def _unfit_boards(plan: Plan) -> Iterator[Unfit]:
    duplicate = plan.duplicate
    if (plan.kind is FormatKind.DUPLICATE) != (duplicate is not None):
        yield Unfit.BOARDS
    if duplicate is None:
        return
    if plan.players != 4 or plan.sides != 2:
        yield Unfit.DUPLICATE_AT_FOUR
    if not 1 <= duplicate.boards <= MOST_BOARDS or duplicate.in_a_round < 1 or not duplicate.minimums:
        yield Unfit.BOARDS


def _teams(plan: Plan) -> bool:
    return plan.duplicate is not None and plan.duplicate.scoring is BoardScoring.VICTORY_POINTS


def _warned(plan: Plan) -> Iterator[Warned]:
    deals = plan.deals or 4
    if plan.duplicate is not None:
        deals = plan.duplicate.in_a_round
    if plan.round_time < deals * (MEASURED if plan.live else DAYS_A_DEAL):
        yield Warned.SHORT_ROUND
    if plan.live and (length(plan) or 0) > LONG:
        yield Warned.LONG_EVENING


def length(plan: Plan) -> int | None:
    """How long the rounds last in all (milliseconds) where their number is known, the breaks included."""
    if plan.duplicate is not None:
        rounds: int | None = -(-plan.duplicate.boards // plan.duplicate.in_a_round)
    else:
        rounds = plan.rounds
    return None if rounds is None else rounds * (plan.round_time + plan.between)


def with_scoring(plan: Plan) -> Plan:
    """The plan with what results are worth in its format and rules (4)."""
    usual = VICTORY if _teams(plan) else Scoring()
    if plan.kind is FormatKind.ROUND_ROBIN:
        usual = replace(usual, bye=0)
    swing = swing_of(plan.rules.name)
    return replace(plan, scoring=replace(usual, swing_unit=swing.unit, net_cap=swing.net_cap))
