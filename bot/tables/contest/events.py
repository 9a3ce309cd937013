"""What happens at a table because it belongs to a tournament."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from bot.tables.contest.values import ContestTable

if TYPE_CHECKING:
    from bot.tables.looks import SeatHolder


@dataclass(frozen=True, slots=True)
class ContestOpened:
    """The table belongs to a tournament."""

    contest: ContestTable


@dataclass(frozen=True, slots=True)
class SubstituteNamed:
    """That person, or computer player, has the seat from the next deal on."""

    seat: int
    holder: SeatHolder


@dataclass(frozen=True, slots=True)
class PlayerArrived:
    """Who sits there has done something at the table for the first time."""

    seat: int


@dataclass(frozen=True, slots=True)
class ContestUnsealed:
    """What was played at the table may be looked at."""


ContestEvent: TypeAlias = ContestOpened | SubstituteNamed | PlayerArrived | ContestUnsealed

CONTEST_EVENTS: Final = (ContestOpened, SubstituteNamed, PlayerArrived, ContestUnsealed)
