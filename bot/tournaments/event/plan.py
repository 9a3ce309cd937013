"""The plan of a tournament, chosen by its director before it opens (`docs/tournaments.md` 1, 3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.time_rules import DAY, PRESETS
from bot.engine.rules.rule_set import RuleSet
from bot.tables.state.clocks import TableSettings
from bot.tournaments.counted_results import Scoring
from bot.tournaments.format_traits import TRAITS, FormatKind, FormatTraits


class Seeding(StrEnum):
    """Ways to decide the start order; the value is its stable name."""

    RATING = "rating"
    LOT = "lot"
    HAND = "hand"


class BoardScoring(StrEnum):
    """Ways to compare boards; the value is its stable name."""

    MATCHPOINTS = "mp"
    CROSS_IMP = "ximp"
    VICTORY_POINTS = "imp_vp"  # team matches: a team sits North–South at one table and East–West at the other


@dataclass(frozen=True, slots=True, kw_only=True)
class Duplicate:
    """The boards of a duplicate: how many in all and in a round, and the initial minimums.

    Boards get the minimums in turn. With `two_winners` pairs play a Mitchell, in which each direction has a list of its
    own. `board_time` is how long a board of a slow duplicate may be played (milliseconds).
    """

    boards: int = 6
    in_a_round: int = 2
    minimums: tuple[int, ...] = (50, 90, 120)
    scoring: BoardScoring = BoardScoring.MATCHPOINTS
    two_winners: bool = False
    board_time: int = 10 * DAY


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The settings of a tournament. Instants are UTC milliseconds, durations milliseconds.

    `entry_size` is the number of persons in an entry; with `drawn`, persons enter alone and partners are drawn. `rules`
    are complete, `saved_as` is the guild's name for them. `deals` is None if matches are played to the target of the
    rules. `themes_by_round` has the themes of each round; the last apply to all later rounds. `round_time` is the
    length of a round, `between` the break before the next call. `check_in_from` and `check_in_until` are durations
    before the start. `rounds` is None for the default number. `sides` is 3 for tables of three sides. `settings` are
    those of its tables. `ladder_reach` is how many rungs up a challenge may go. A tournament that `signs_up` only takes
    entries, which a series then splits into divisions. `regulars` is how many further persons may play for an entry, if
    entries are not drawn.
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
    signs_up: bool = False
    regulars: int = 0

    @property
    def players(self) -> int:
        """The number of seats at a table."""
        return self.rules.players

    @property
    def persons_entering_together(self) -> int:
        """The number of persons who enter together."""
        return 1 if self.drawn or self.traits.partners_change else self.entry_size

    @property
    def persons_in_entry(self) -> int:
        """The number of persons in an entry, once partners are drawn."""
        return 1 if self.traits.partners_change else self.entry_size

    @property
    def takes_regulars(self) -> bool:
        """Whether entries may have regulars: their persons are not drawn and stay together."""
        return not self.drawn and not self.traits.partners_change

    @property
    def most_regulars(self) -> int:
        """The number of regulars that an entry may have."""
        return self.regulars if self.takes_regulars else 0

    @property
    def traits(self) -> FormatTraits:
        """The facts of the tournament's format."""
        return TRAITS[self.kind]

    @property
    def is_for_teams(self) -> bool:
        """Whether two pairs form a team and play at two tables."""
        return self.duplicate is not None and self.duplicate.scoring is BoardScoring.VICTORY_POINTS

    @property
    def counts_for_ratings(self) -> bool:
        """Whether the tournament's matches are rated: the plan says so, and no themes are played.

        Source: `docs/tournaments.md` 5.
        """
        return self.rated and not self.themes_by_round and not self.rules.theme

    def themes_of(self, round_number: int) -> tuple[str, ...]:
        """Return the themes of that round, counted from 1."""
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
    "regulars": 2,
}
"""Defaults of slow tournaments, in which a move may take days, that differ from live ones."""


MOST_BOARDS: Final = 36


def total_time(plan: Plan) -> int | None:
    """Return the total time of all rounds with breaks (milliseconds); None if their number is unknown."""
    if plan.duplicate is not None:
        rounds: int | None = -(-plan.duplicate.boards // plan.duplicate.in_a_round)
    else:
        rounds = plan.rounds
    return None if rounds is None else rounds * (plan.round_time + plan.between)
