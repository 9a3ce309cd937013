"""The format objects by kind, and questions about a plan that depend on its format."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.tournaments.event.plan import Plan
from bot.tournaments.event.plan_check import Fitness, unfit_anyway, warnings_about
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.tournament import Tournament
from bot.tournaments.format_traits import FormatKind
from bot.tournaments.formats.duplicate import DuplicateFormat, movement_values
from bot.tournaments.formats.elimination import Elimination
from bot.tournaments.formats.format import Format
from bot.tournaments.formats.individual import Individual
from bot.tournaments.formats.ladder import LadderFormat
from bot.tournaments.formats.round_robin import RoundRobin
from bot.tournaments.formats.swiss import Swiss

FORMATS: Final[Mapping[FormatKind, Format]] = {
    FormatKind.SWISS: Swiss(),
    FormatKind.ROUND_ROBIN: RoundRobin(),
    FormatKind.SINGLE: Elimination(),
    FormatKind.DOUBLE: Elimination(),
    FormatKind.INDIVIDUAL: Individual(),
    FormatKind.LADDER: LadderFormat(),
    FormatKind.DUPLICATE: DuplicateFormat(),
}


def format_of(tournament: Tournament) -> Format:
    """Return the format that the tournament is played in."""
    return FORMATS[tournament.plan.kind]


def fitness(plan: Plan, now: int) -> Fitness:
    """Return the errors and warnings of the plan at that instant (UTC milliseconds)."""
    unfit = (*unfit_anyway(plan, now), *FORMATS[plan.kind].unfit(plan))
    return Fitness(unfit, tuple(warnings_about(plan)))


def require_fit(plan: Plan, now: int) -> None:
    """Raise `TournamentRefusal` plan_unfit if the plan cannot be played."""
    for problem in fitness(plan, now).unfit:
        raise TournamentRefusal(TournamentCode.PLAN_UNFIT, {"problem": problem.value, **movement_values(plan)})
