"""What a record keeps of absence: votes about seats, claims to seats, ends that come by themselves.

Instants are UTC milliseconds. Who votes or answers is named by seat.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from bot.tables.looks import SeatHolder


class AbsenceChoice(StrEnum):
    """What may become of an absent person's seat; the value is its stable name."""

    WAIT = "wait"  # a day more
    COMPUTER = "computer"
    SUBSTITUTE = "substitute"
    END = "end"  # the game is over as it stands


class AbsenceReason(StrEnum):
    """Why the others decide about a seat; the value is its stable name."""

    LAPSED = "lapsed"  # its time is used up
    GONE = "gone"  # its person has left the server


@dataclass(frozen=True, slots=True)
class Ballot:
    """What the person in a seat would like."""

    seat: int
    choice: AbsenceChoice


@dataclass(frozen=True, slots=True)
class Vote:
    """The others decide about the seat of a person since an instant."""

    seat: int
    person: int
    why: AbsenceReason
    at: int
    ballots: tuple[Ballot, ...] = ()

    def choice_of(self, seat: int) -> AbsenceChoice | None:
        """What the person in that seat has voted."""
        return next((one.choice for one in self.ballots if one.seat == seat), None)


class ClaimKind(StrEnum):
    """What is asked about a seat; the value is its stable name."""

    TAKE = "take"  # somebody would play on for a computer player
    RETURN = "return"  # somebody who left on purpose would have the seat back
    OBJECT = "object"  # the opponents may send away who came back for the second time


@dataclass(frozen=True, slots=True)
class ClaimAnswer:
    """What the person in a seat says to a claim; to one to object, True objects."""

    seat: int
    agrees: bool


@dataclass(frozen=True, slots=True)
class Claim:
    """A question about a seat, open since an instant; `holder` is who would have the seat, or has it.

    `unknown` is somebody too new to the server or to Discord, for whom all have to vouch.
    """

    kind: ClaimKind
    seat: int
    holder: SeatHolder
    at: int
    unknown: bool = False
    answers: tuple[ClaimAnswer, ...] = ()

    def answer_of(self, seat: int) -> bool | None:
        """What the person in that seat has answered."""
        return next((one.agrees for one in self.answers if one.seat == seat), None)


@dataclass(frozen=True, slots=True)
class SeatReturn:
    """Who sits there came back in that turn (deal, turn)."""

    seat: int
    turn: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Absence:
    """What a table knows of absence.

    `waiting` are votes that come after the one that is open. `waits` names a seat once for each day that was granted
    to it, `kept` once for each time a computer player took it because its person was absent; `left` are the seats whose
    persons left on purpose. `seen` are persons who have given up a hand of the
    deal that is played. `forfeited` are the sides that come last. `ends_at` is the latest end, as it was known at
    `ends_since`; `ends_told` tells that it is near. `idle_at` closes a game that nobody touches, once that is told.
    """

    vote: Vote | None = None
    waiting: tuple[Vote, ...] = ()
    waits: tuple[int, ...] = ()
    kept: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    claims: tuple[Claim, ...] = ()
    returned: SeatReturn | None = None
    seen: tuple[int, ...] = ()
    forfeited: tuple[int, ...] = ()
    ends_at: int | None = None
    ends_since: int = 0
    ends_told: bool = False
    idle_at: int | None = None

    def claim(self, seat: int) -> Claim | None:
        """The claim to that seat."""
        return next((one for one in self.claims if one.seat == seat), None)

    def votes_on(self, seat: int) -> bool:
        """Whether the others decide about that seat, now or next."""
        return any(one.seat == seat for one in (self.vote, *self.waiting) if one is not None)


NOTHING: Final = Absence()
