"""Settings of a table beside its rules: the clock, what happens to absent seats, how long a game may last."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.clocks.law import ClockTerms


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
