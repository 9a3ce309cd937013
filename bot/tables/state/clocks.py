"""Settings of a table beside its rules: the clock, what happens to absent seats, how long a game may last.

The clocks in a table's record.

Who owes the game a turn or an answer, and is on the clock (`docs/long-games.md`, 3).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from bot.clocks.law import ClockTerms, SeatClock, Stage
from bot.engine.moves.phases import Phase
from bot.engine.table.state import State
from bot.tables.state.persons import Person

if TYPE_CHECKING:
    from bot.tables.state.table import TableState


@dataclass(frozen=True, slots=True)
class Clocks:
    """One clock a seat, and whose runs: that of seat `owes` since an instant, or nobody's.

    `stage` is how far that seat's time has run in this turn, `until` when all of it will be used up, as far as that was
    known when the clock was last looked at. The stage belongs to the seat `told` in `turn`, (deal, turn).
    """

    seats: tuple[SeatClock, ...]
    owes: int | None = None
    since: int = 0
    until: int | None = None
    stage: Stage = Stage.RUNNING
    turn: tuple[int, int] = (0, 0)
    told: int | None = None


@dataclass(frozen=True, slots=True)
class Pause:
    """A game that stands still: since when, by whom, until when at the latest, and why a game master did it."""

    by: Person
    since: int
    until: int | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Conclusion:
    """How a game came to an end: `how` is a stable name, `winner` a side or None where there is none.

    `how` is one of played, agreed, resigned, forfeited, latest_end. `scores` are those of the finished deals, one a
    side. `last` is the side that gave the game up, if one did.
    """

    how: str
    winner: int | None
    scores: tuple[int, ...]
    last: int | None = None


def seat_on_clock(record: TableState) -> int | None:
    """The seat whose clock is to run: that of a person in turn, or of a partner who was asked.

    Nobody's runs in a lobby, between deals, during a pause, while the table's channel is gone or all are asked to let a
    move be taken back, with fewer than two persons seated unless the latest end has come or a tournament goes on,
    and once the seat's time is
    used up.
    """
    seat = record.actor
    alone = len(record.persons) < 2 and not record.last_deal and record.contest is None
    stands = record.pause is not None or record.place_lost is not None or record.undo_open or alone
    if (
        seat is None
        or record.settings.clock is None
        or stands
        or record.seats[seat].person is None
        or is_out_of_time(record)
    ):
        return None
    return seat


def is_out_of_time(record: TableState) -> bool:
    """Whether the seat that is to act has used up its time in this turn."""
    clocks = record.clocks
    return (
        clocks is not None
        and clocks.stage is Stage.LAPSED
        and record.game is not None
        and (clocks.told, clocks.turn) == (record.actor, turn_of(record.game))
    )


def turn_of(game: State) -> tuple[int, int]:
    """A turn's own name within its table: deal and turn."""
    return game.deal, game.turns


def is_answering(game: State) -> bool:
    """Whether a partner owes an answer."""
    return game.phase is Phase.ANSWER


def turn_is_over(before: State, after: State, seat: int) -> bool:
    """Whether the turn that the seat was in has ended, and was not taken back."""
    return before.turn == seat and (turn_of(before) < turn_of(after) or after.phase in (Phase.BETWEEN, Phase.OVER))


class Absent(StrEnum):
    """What happens to a seat whose time is used up; the value is its stable name."""

    VOTE = "vote"
    COMPUTER = "computer"
    SUBSTITUTE = "substitute"
    FORFEIT = "forfeit"


class ReplayFrom(StrEnum):
    """From when on a table's cards may be looked at; the value is its stable name."""

    DEAL = "deal"  # each deal once it is scored
    GAME = "game"  # all of them once the game is over


MOST_VACATION: Final = 14
MOST_DEALS: Final = 20
LATEST_END: Final = (14, 180)
"""Days after the start."""
IDLE: Final = (7, 90)
"""Days without a move."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettings:
    """What a table is set to (`docs/long-games.md`, 2).

    `clock` is None where nobody's time is counted. `deals` ends the game after so many, None plays it out. `latest_end`
    and `idle` are days; None is the usual number, which depends on the clock. `vacation` are the days that each seat
    may spend in this game. A `rated` game counts for ratings (`docs/tournaments.md` 5).
    """

    clock: ClockTerms | None = None
    absent: Absent | None = None
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

    @property
    def slow(self) -> bool:
        """Whether a turn may take days."""
        return self.clock is not None and self.clock.slow

    @property
    def policy(self) -> Absent:
        """What happens to an absent seat: as chosen, else a vote at slow tables and a computer player at fast ones."""
        return self.absent or (Absent.VOTE if self.slow else Absent.COMPUTER)

    @property
    def latest_end_days(self) -> int | None:
        """Days after which the deal in play is the last; None without a clock."""
        if self.clock is None:
            return None
        return self.latest_end or (90 if self.slow else 7)

    def idle_days(self, *, alone: bool) -> int:
        """Days after which a game that nobody touches is closed; `alone` is a person among computer players."""
        return self.idle or (365 if alone else 30)


USUAL: Final = TableSettings()
