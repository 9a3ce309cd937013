"""The clocks in a table's record."""

from __future__ import annotations

from dataclasses import dataclass

from bot.clocks.law import SeatClock, Stage


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

    by: int
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
