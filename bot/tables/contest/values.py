"""What a table of a tournament knows of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.tables.looks import SeatHolder


@dataclass(frozen=True, slots=True)
class ContestBoard:
    """A deal that is played at several tables: its number, the initial meld of every side, and the seat that deals."""

    number: int
    minimum: int
    dealer: int


@dataclass(frozen=True, slots=True)
class PendingSubstitute:
    """Who is to have a seat from the next deal on."""

    seat: int
    holder: SeatHolder


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestTable:
    """A table's place in its tournament, and what holds there beside rules and settings.

    `number` tells the tables of one match apart, from 1. How many deals are played stands in the table's settings, the
    target in its rules. With `computers` a computer player goes on to the end of the deal for whoever has used up the
    time; without, the side forfeits. What was played at a `sealed` table is shown to nobody else until the tournament
    opens it. `substitutes` sit down with the next deal. `came` are the seats in which somebody has done anything here:
    for the others the tournament waits, and not their clocks.
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

    @property
    def key(self) -> tuple[int, int]:
        """The numbers of the tournament and of the match."""
        return self.tournament, self.match


@dataclass(frozen=True, slots=True)
class Director:
    """Who stepped in at a table of a tournament, and why; what follows by itself from its rules is nobody's doing."""

    person: int
    reason: str = ""
