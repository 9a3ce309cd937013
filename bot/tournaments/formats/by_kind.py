"""The format object of each kind of format, and checks of a plan that depend on its format."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.tournaments.event.plan import Plan
from bot.tournaments.event.plan_check import PlanCheck, general_plan_errors, warnings_about
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.tournament import Tournament
from bot.tournaments.format_traits import FormatKind
from bot.tournaments.formats.duplicate import DuplicateFormat, movement_values
from bot.tournaments.formats.elimination import EliminationFormat
from bot.tournaments.formats.format import Format
from bot.tournaments.formats.individual import IndividualFormat
from bot.tournaments.formats.ladder import LadderFormat
from bot.tournaments.formats.round_robin import RoundRobinFormat
from bot.tournaments.formats.swiss import SwissFormat

FORMATS: Final[Mapping[FormatKind, Format]] = {
    FormatKind.SWISS: SwissFormat(),
    FormatKind.ROUND_ROBIN: RoundRobinFormat(),
    FormatKind.SINGLE: EliminationFormat(),
    FormatKind.DOUBLE: EliminationFormat(),
    FormatKind.INDIVIDUAL: IndividualFormat(),
    FormatKind.LADDER: LadderFormat(),
    FormatKind.DUPLICATE: DuplicateFormat(),
}


def format_of(tournament: Tournament) -> Format:
    """Return the object for the format of the tournament."""
    return FORMATS[tournament.plan.kind]


def check_plan(plan: Plan, now: int) -> PlanCheck:
    """Return the errors and warnings of the plan at that instant (UTC milliseconds)."""
    unfit = (*general_plan_errors(plan, now), *FORMATS[plan.kind].plan_errors(plan))
    return PlanCheck(unfit, tuple(warnings_about(plan)))


def require_playable_plan(plan: Plan, now: int) -> None:
    """Raise `TournamentRefusal` plan_unfit if the plan cannot be played."""
    for problem in check_plan(plan, now).unfit:
        raise TournamentRefusal(TournamentCode.PLAN_UNFIT, {"problem": problem.value, **movement_values(plan)})
