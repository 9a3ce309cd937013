"""What happens about absence, as events of a table's log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from bot.tables.absence.values import AbsenceChoice, AbsenceReason, Claim


@dataclass(frozen=True, slots=True)
class VoteOpened:
    """The others are to decide about a seat, from that instant on, or once the votes that are open are decided."""

    seat: int
    why: AbsenceReason
    at: int


@dataclass(frozen=True, slots=True)
class Voted:
    """The person in a seat votes in the vote that is open, or votes otherwise than before."""

    seat: int
    choice: AbsenceChoice


@dataclass(frozen=True, slots=True)
class VoteDecided:
    """The vote that was open is decided; with None nothing is left to decide."""

    choice: AbsenceChoice | None


@dataclass(frozen=True, slots=True)
class VoteWithdrawn:
    """The vote about a seat that waits for others to be decided is not held any more."""

    seat: int


@dataclass(frozen=True, slots=True)
class SeatKept:
    """A computer player keeps a seat because its person was absent."""

    seat: int


@dataclass(frozen=True, slots=True)
class SideForfeited:
    """A side comes last, because a seat of it was absent."""

    side: int


@dataclass(frozen=True, slots=True)
class SeatClaimed:
    """Somebody would like to have a seat, or to keep one."""

    claim: Claim


@dataclass(frozen=True, slots=True)
class ClaimAnswered:
    """The person in a seat (`voter`) answers the claim to another one."""

    seat: int
    voter: int
    agrees: bool


@dataclass(frozen=True, slots=True)
class ClaimEnded:
    """The claim to a seat is decided."""

    seat: int
    granted: bool


@dataclass(frozen=True, slots=True)
class SubstituteSearchEnded:
    """No substitute is sought for a seat any longer."""

    seat: int


@dataclass(frozen=True, slots=True)
class EndTimeSet:
    """The latest end of the game, as it is known at `since`; `told` that it is near."""

    at: int
    since: int
    told: bool


@dataclass(frozen=True, slots=True)
class IdleWarningSent:
    """Nobody touches the game, which is closed at that instant; or with None, somebody has touched it."""

    at: int | None


AbsenceEvent: TypeAlias = (
    VoteOpened
    | Voted
    | VoteDecided
    | VoteWithdrawn
    | SeatKept
    | SideForfeited
    | SeatClaimed
    | ClaimAnswered
    | ClaimEnded
    | SubstituteSearchEnded
    | EndTimeSet
    | IdleWarningSent
)

ABSENCE_EVENTS: Final = (
    VoteOpened,
    Voted,
    VoteDecided,
    VoteWithdrawn,
    SeatKept,
    SideForfeited,
    SeatClaimed,
    ClaimAnswered,
    ClaimEnded,
    EndTimeSet,
    IdleWarningSent,
)
"""Events that change nothing but what a table knows of absence."""
