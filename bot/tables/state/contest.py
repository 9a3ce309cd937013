"""A tournament's table: its place in the tournament, its terms, and the events about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from bot.clocks.time_rules import ClockTerms, SeatClock

if TYPE_CHECKING:
    from bot.tables.state.snapshots import SeatHolder


@dataclass(frozen=True, slots=True)
class ContestBoard:
    """A deal that several tables play: its number, every side's initial meld, and the dealing seat."""

    number: int
    minimum: int
    dealer: int


@dataclass(frozen=True, slots=True)
class PendingSubstitute:
    """A substitute who takes a seat with the next deal."""

    seat: int
    holder: SeatHolder


@dataclass(frozen=True, slots=True)
class AgreedHours:
    """The clock that a table gets back after an agreed time of play.

    It has the clock's terms, each seat's time left, and the seats that had arrived.
    """

    terms: ClockTerms
    seats: tuple[SeatClock, ...]
    came: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestTable:
    """A table's place in its tournament, and the terms of play that its rules and settings lack.

    `number` distinguishes the tables of one match, from 1. The number of deals is in the table's settings, the target
    in its rules. With `computers` a computer player finishes the deal for a player who is out of time; without, the
    side forfeits. A `sealed` table's play is hidden from others until the tournament unseals it. `substitutes` sit down
    with the next deal. `came` are the seats whose players have done anything here; the clocks of the others do not run
    yet. While an agreed time lasts, `hours` is the clock that holds again afterwards.
    """

    tournament: int
    match: int
    number: int = 1
    computers: bool = False
    live: bool = True
    board: ContestBoard | None = None
    sealed: bool = False
    substitutes: tuple[PendingSubstitute, ...] = ()
    came: tuple[int, ...] = ()
    hours: AgreedHours | None = None

    @property
    def key(self) -> tuple[int, int]:
        """The tournament's number and the match's number in it."""
        return self.tournament, self.match


@dataclass(frozen=True, slots=True)
class Director:
    """The director who acted at a table, and the reason.

    An automatic action of the tournament has no director.
    """

    person: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ContestOpened:
    """The table was opened for a tournament."""

    contest: ContestTable


@dataclass(frozen=True, slots=True)
class SubstituteNamed:
    """A person or computer player was named who takes the seat with the next deal."""

    seat: int
    holder: SeatHolder


@dataclass(frozen=True, slots=True)
class PlayerArrived:
    """The player in this seat has acted at the table for the first time."""

    seat: int


@dataclass(frozen=True, slots=True)
class ContestUnsealed:
    """The tournament allowed everybody to view the play of the table."""


@dataclass(frozen=True, slots=True)
class AgreedHoursBegan:
    """The clock was changed for an agreed time: none runs until it comes, and all players count as absent."""

    hours: AgreedHours


@dataclass(frozen=True, slots=True)
class AgreedHoursEnded:
    """The agreed time ended, and the table got its usual clock back."""


ContestEvent: TypeAlias = (
    ContestOpened | SubstituteNamed | PlayerArrived | ContestUnsealed | AgreedHoursBegan | AgreedHoursEnded
)
