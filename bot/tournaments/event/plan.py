"""Whether a plan can be played, and what its creator is told before it is published (`docs/tournaments.md` 1, 3).

What the director of a tournament chooses before it opens (`docs/tournaments.md` 1, 3).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.law import DAY, PRESETS
from bot.engine.rules.rule_set import RuleSet
from bot.tables.state.clocks import TableSettings
from bot.tournaments.boards.teams import VICTORY
from bot.tournaments.course import FormatKind, Scoring
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.standings.tie_breaks import swing_of


class Seeding(StrEnum):
    """What the start order follows; the value is its stable name."""

    RATING = "rating"
    LOT = "lot"
    HAND = "hand"


class BoardScoring(StrEnum):
    """How boards are compared; the value is its stable name."""

    MATCHPOINTS = "mp"
    CROSS_IMP = "ximp"
    VICTORY_POINTS = "imp_vp"  # two tables a match, pairs of a team each way


@dataclass(frozen=True, slots=True, kw_only=True)
class Duplicate:
    """The boards of a duplicate: how many, how many against each opponent, and their minimums, again from the first.

    `board_time` is how long a board of a slow duplicate may be played (milliseconds).
    """

    boards: int = 6
    in_a_round: int = 2
    minimums: tuple[int, ...] = (50, 90, 120)
    scoring: BoardScoring = BoardScoring.MATCHPOINTS
    board_time: int = 10 * DAY


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is played, by whom, and when. Instants are UTC milliseconds, lengths milliseconds.

    `entry_size` is the persons of an entry; `drawn` tells that persons enter alone and partners are drawn. `rules` are
    complete, `saved_as` is the server's own name for them. `deals` is None where a match is played to the target of
    the rules. `themes_by_round` has the themes of each round, the last ones for all rounds after.
    `round_time` is how long a round lasts, `between` how long its result stands before the next one is called.
    `check_in_from` and `check_in_until` are how long before the start. `rounds` is None for as many as usual.
    `sides` is 3 for pods. `settings` are those of its tables. `ladder_reach` is how far up a challenge may go.
    """

    name: str
    kind: FormatKind = FormatKind.SWISS
    entry_size: int = 2
    drawn: bool = False
    sides: int = 2
    rules: RuleSet = field(repr=False)
    saved_as: str = ""
    themes_by_round: tuple[tuple[str, ...], ...] = ()
    deals: int | None = 3
    live: bool = True
    settings: TableSettings = field(default_factory=lambda: TableSettings(clock=PRESETS["live"], vacation=0))
    starts_at: int = 0
    check_in_from: int = 30 * MINUTE
    check_in_until: int = 5 * MINUTE
    places: int = 16
    rounds: int | None = None
    round_time: int = 40 * MINUTE
    between: int = 2 * MINUTE
    cycles: int = 1
    second_chance: bool = False
    third_place: bool = False
    seeding: Seeding = Seeding.RATING
    late_entry: bool = True
    computers: bool = False
    rated: bool = True
    duplicate: Duplicate | None = None
    scoring: Scoring = field(default_factory=Scoring)
    ladder_reach: int = 10
    partner_answer: int = 48 * HOUR

    @property
    def players(self) -> int:
        """The seats of a table."""
        return self.rules.players

    @property
    def persons_each(self) -> int:
        """How many persons enter together."""
        return 1 if self.drawn or self.kind is FormatKind.INDIVIDUAL else self.entry_size

    def themes_of(self, round_number: int) -> tuple[str, ...]:
        """The themes of that round, counted from 1."""
        chosen = self.themes_by_round
        return chosen[min(round_number, len(chosen)) - 1] if chosen else ()


SLOW: Final[Mapping[str, Any]] = {
    "live": False,
    "settings": TableSettings(clock=PRESETS["tournament"], vacation=0),
    "check_in_from": 24 * HOUR,
    "check_in_until": HOUR,
    "round_time": 10 * DAY,
    "between": 2 * HOUR,
    "deals": 1,
}
"""What is usual of a tournament in which a move may take days, where it differs from a live one."""

DAYS_A_DEAL: Final = 8 * DAY
"""A deal between people who move when they have a minute lasts so long; shorter rounds are warned of."""

MEASURED: Final = 13 * MINUTE
"""A live deal of four lasts about so long."""


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
