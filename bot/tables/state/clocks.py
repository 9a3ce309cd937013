"""The clocks and other settings of a table, and which seat's clock runs.

See `docs/long-games.md`, 2 and 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

from bot.clocks.clock import Spans
from bot.clocks.time_rules import ClockTerms, SeatClock, Stage
from bot.engine.moves.phases import Phase
from bot.engine.table.state import State
from bot.tables.state.person_annotation import Person

if TYPE_CHECKING:
    from bot.tables.state.table import TableState


@dataclass(frozen=True, slots=True)
class Clocks:
    """A clock for each seat; `owes` is the seat whose clock runs, or None.

    `stage` is how much of that seat's time is used in this turn; `until` is when all of it will be used up, and
    `decided_at` when the table decides about the seat at the latest, both as calculated at the last check. `days` are
    the days of vacation that were taken in this turn when its time was used up. `stage` and `days` are those of the
    seat `told` in the turn `turn`, given as (deal, turn).
    """

    seats: tuple[SeatClock, ...]
    owes: int | None = None
    since: int = 0
    until: int | None = None
    stage: Stage = Stage.RUNNING
    turn: tuple[int, int] = (0, 0)
    told: int | None = None
    decided_at: int | None = None
    days: Spans = ()


@dataclass(frozen=True, slots=True)
class Pause:
    """A pause of a game: who asked for it, when it began and ends, and a game master's reason.

    `until` is None for a pause without end.
    """

    by: Person
    since: int
    until: int | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Conclusion:
    """The end of a game: how it ended, the winning side or None, and the scores.

    `how` is one of played, agreed, resigned, forfeited, latest_end. `scores` are those of the finished deals, one for
    each side. `last` is the side that gave the game up, if one did.
    """

    how: str
    winner: int | None
    scores: tuple[int, ...]
    last: int | None = None


def seat_on_clock(record: TableState) -> int | None:
    """Return the seat whose clock should run: that of the person who must act.

    None in a lobby, between deals, while an undo is proposed, and once the seat's time is used up. Also None with fewer
    than two persons seated or no opponent left, unless the latest end has come or the table belongs to a tournament.
    While the table is halted its clock goes on, and that time is not charged.
    """
    seat = record.actor
    alone = len(record.persons) < 2 or record.absence.unopposed is not None
    if (
        seat is None
        or record.settings.clock is None
        or record.is_undo_open
        or (alone and not record.last_deal and record.contest is None)
        or record.seats[seat].person is None
        or is_out_of_time(record)
    ):
        return None
    return seat


def is_out_of_time(record: TableState) -> bool:
    """Return whether the seat that must act has used up its time for this turn."""
    clocks = record.clocks
    return (
        clocks is not None
        and clocks.stage is Stage.LAPSED
        and record.game is not None
        and (clocks.told, clocks.turn) == (record.actor, turn_of(record.game))
    )


def turn_of(game: State) -> tuple[int, int]:
    """Return the numbers (deal, turn) of the current turn, which identify it within its table."""
    return game.deal, game.turns


def is_answer_awaited(game: State) -> bool:
    """Return whether the game waits for an answer to a partner's question."""
    return game.phase is Phase.ANSWER


def is_turn_over(before: State, after: State, seat: int) -> bool:
    """Return whether the seat's turn ended between the two states."""
    return before.turn == seat and (turn_of(before) < turn_of(after) or after.phase in (Phase.BETWEEN, Phase.OVER))


class AbsencePolicy(StrEnum):
    """A table's policy for a player who is out of time; the value is its stable name."""

    VOTE = "vote"
    COMPUTER = "computer"
    SUBSTITUTE = "substitute"
    FORFEIT = "forfeit"


class ReplayFrom(StrEnum):
    """When the cards of a table's deals may be viewed; the value is the stable name."""

    DEAL = "deal"  # the cards of each deal once it is scored
    GAME = "game"  # the cards of all deals once the game is over


Level: TypeAlias = Literal["easy", "casual", "strong", "expert"]
"""The levels of computer players, weakest first."""

LEVELS: Final[tuple[Level, ...]] = get_args(Level)

DEFAULT_LEVEL: Final[Level] = "casual"
EXPERT: Final[Level] = "expert"

Pace: TypeAlias = Literal["even", "varied"]
"""Pace of computer players: the same pause before every step, or a longer one before close choices."""

PACES: Final[tuple[Pace, ...]] = get_args(Pace)

HintRule: TypeAlias = Literal["alone", "on", "off"]
"""Whether players may ask for hints: if only one person plays, always, or never."""

HINT_RULES: Final[tuple[HintRule, ...]] = get_args(HintRule)

MOST_VACATION: Final = 14
MOST_DEALS: Final = 20
LATEST_END: Final = (14, 180)
"""Default latest end of a game, in days after its start."""
IDLE: Final = (7, 90)
"""Default number of days without a move after which a game closes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettings:
    """The settings of a table (`docs/long-games.md`, 2).

    `clock` is None if time is not counted. `deals` ends the game after that number of deals; None plays to the target.
    `latest_end` and `idle` are days; None is the default, which depends on the clock. `vacation` is the number of days
    that each seat may spend in this game. A `rated` game counts for ratings (`docs/tournaments.md` 5). `level` is that
    of computer players who sit down without one of their own; `pace` says how long they wait before a step. `hints`
    says when players may ask for hints; rated games and tournaments never have them (`allows_hints`).
    """

    clock: ClockTerms | None = None
    absent: AbsencePolicy | None = None
    extension: bool = True
    vacation: int = 7
    deals: int | None = None
    latest_end: int | None = None
    idle: int | None = None
    watching: bool = True
    private_thread: bool = False
    replay: ReplayFrom = ReplayFrom.DEAL
    undo: bool = True
    rated: bool = False
    level: Level = DEFAULT_LEVEL
    pace: Pace = "even"
    hints: HintRule = "alone"

    @property
    def is_slow(self) -> bool:
        """Return whether a turn may take days."""
        return self.clock is not None and self.clock.is_slow

    @property
    def policy(self) -> AbsencePolicy:
        """Return what happens to the seat of a player who is out of time.

        Without a setting it is a vote at slow tables and a computer player at fast ones.
        """
        return self.absent or (AbsencePolicy.VOTE if self.is_slow else AbsencePolicy.COMPUTER)

    @property
    def latest_end_days(self) -> int | None:
        """Return the number of days after which the deal in play is the last; None without a clock."""
        if self.clock is None:
            return None
        return self.latest_end or (90 if self.is_slow else 7)

    def idle_days(self, *, alone: bool) -> int:
        """Return the number of days after which an idle game closes.

        `alone` means that one person plays with computer players.
        """
        return self.idle or (365 if alone else 30)


USUAL: Final = TableSettings()
