"""What events make of what a table knows of absence.

What a record keeps of absence: votes about seats, claims to seats, ends that come by themselves.

Instants are UTC milliseconds. Who votes or answers is named by seat.

Who votes about an absent person's seat, and for what (`docs/long-games.md`, 4); for records and looks alike.

What happens about absence, as events of a table's log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, get_args

from bot.engine.rules.rule_set import RuleSet
from bot.tables.state.persons import Person

if TYPE_CHECKING:
    from bot.tables.state.snapshots import SeatHolder
    from bot.tables.state.table import TableState


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
    person: Person
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
    seen: tuple[Person, ...] = ()
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


MOST_WAITS: Final = 3
"""So many days are granted to a seat in a game."""


class Holder(Protocol):
    """Who sits in a seat."""

    @property
    def person(self) -> int | None:
        """The person, if it is one."""

    @property
    def kept_for(self) -> int | None:
        """The person for whom a computer player keeps it."""


def always_alone(seats: Iterable[Holder], earlier: Iterable[Holder]) -> bool:
    """Whether nobody but one person has a seat in the game, or has had one `earlier`."""
    return len({one.person or one.kept_for for one in chain(seats, earlier)} - {None}) < 2


def voters(seats: Sequence[Holder], vote: Vote) -> tuple[int, ...]:
    """The seats whose persons decide."""
    return tuple(seat for seat, holder in enumerate(seats) if holder.person not in (None, vote.person))


def choices(seats: Sequence[Holder], rules: RuleSet, absence: Absence, vote: Vote) -> tuple[AbsenceChoice, ...]:
    """What can be voted for. The end of the game needs somebody of every side among the voters."""
    found = [AbsenceChoice.COMPUTER, AbsenceChoice.SUBSTITUTE]
    if vote.why is AbsenceReason.LAPSED and absence.waits.count(vote.seat) < MOST_WAITS:
        found.insert(0, AbsenceChoice.WAIT)
    if {rules.side_of(seat) for seat in voters(seats, vote)} == set(range(rules.sides)):
        found.append(AbsenceChoice.END)
    return tuple(found)


def asked(seats: Sequence[Holder], rules: RuleSet, claim: Claim) -> tuple[int, ...]:
    """The seats whose persons answer a claim: all, or to one to object the opponents."""
    found = tuple(seat for seat, holder in enumerate(seats) if holder.person is not None)
    if claim.kind is not ClaimKind.OBJECT:
        return found
    return tuple(seat for seat in found if rules.side_of(seat) != rules.side_of(claim.seat))


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


def evolve(absence: Absence, event: AbsenceEvent, seats: Sequence[SeatHolder]) -> Absence:
    """What the table knows after one event; `seats` are its holders."""
    if isinstance(event, VoteOpened):
        person = seats[event.seat].person
        return absence if person is None else _opened(absence, Vote(event.seat, person, event.why, event.at))
    return _HANDLERS[type(event)](absence, event)


def seat_changed(
    absence: Absence, before: SeatHolder, after: SeatHolder, *, seat: int, turn: tuple[int, int] | None
) -> Absence:
    """What the table knows once somebody else holds a seat, in that turn of the game; None before the first deal."""
    vote = absence.vote
    ballots = () if vote is None else tuple(one for one in vote.ballots if one.seat != seat)
    came_back = after.person is not None and before.kept_for == after.person and turn is not None
    new = after.person is not None and not came_back
    seen = () if before.person in (None, *absence.seen) or turn is None else (before.person,)
    left = () if after.kept_for is None or before.person is None else (seat,)
    return replace(
        absence,
        vote=None if vote is None else replace(vote, ballots=ballots),
        waiting=tuple(one for one in absence.waiting if one.seat != seat),
        left=(*_without(absence.left, seat), *left),
        seen=(*absence.seen, *seen),
        waits=_without(absence.waits, seat) if new else absence.waits,
        kept=_without(absence.kept, seat) if new else absence.kept,
        claims=tuple(_unanswered(one, seat) for one in absence.claims),
        returned=SeatReturn(seat, turn) if came_back and turn is not None else absence.returned,
    )


def _without(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple(one for one in seats if one != seat)


def _unanswered(claim: Claim, seat: int) -> Claim:
    """The claim without what that seat has answered."""
    return replace(claim, answers=tuple(one for one in claim.answers if one.seat != seat))


def _opened(absence: Absence, vote: Vote) -> Absence:
    waiting = tuple(one for one in absence.waiting if one.seat != vote.seat)
    if absence.vote is None or absence.vote.seat == vote.seat:
        return replace(absence, vote=vote, waiting=waiting)
    return replace(absence, waiting=(*waiting, vote))


def _voted(absence: Absence, event: Voted) -> Absence:
    vote = absence.vote
    if vote is None:
        return absence
    others = tuple(one for one in vote.ballots if one.seat != event.seat)
    return replace(absence, vote=replace(vote, ballots=(*others, Ballot(event.seat, event.choice))))


def _decided(absence: Absence, event: VoteDecided) -> Absence:
    waited = () if absence.vote is None or event.choice is not AbsenceChoice.WAIT else (absence.vote.seat,)
    return replace(absence, vote=None, waits=(*absence.waits, *waited))


def _dropped(absence: Absence, event: VoteWithdrawn) -> Absence:
    return replace(absence, waiting=tuple(one for one in absence.waiting if one.seat != event.seat))


def _kept(absence: Absence, event: SeatKept) -> Absence:
    return replace(absence, kept=(*absence.kept, event.seat), left=_without(absence.left, event.seat))


def _forfeited(absence: Absence, event: SideForfeited) -> Absence:
    return replace(absence, forfeited=(*absence.forfeited, event.side))


def _claimed(absence: Absence, event: SeatClaimed) -> Absence:
    return replace(absence, claims=(*absence.claims, event.claim))


def _answered(absence: Absence, event: ClaimAnswered) -> Absence:
    answer = ClaimAnswer(event.voter, event.agrees)
    claims = (
        replace(one, answers=(*_unanswered(one, event.voter).answers, answer)) if one.seat == event.seat else one
        for one in absence.claims
    )
    return replace(absence, claims=tuple(claims))


def _claim_ended(absence: Absence, event: ClaimEnded) -> Absence:
    return replace(absence, claims=tuple(one for one in absence.claims if one.seat != event.seat))


def _latest_end(absence: Absence, event: EndTimeSet) -> Absence:
    return replace(absence, ends_at=event.at, ends_since=event.since, ends_told=event.told)


def _idle(absence: Absence, event: IdleWarningSent) -> Absence:
    return replace(absence, idle_at=event.at)


_HANDLERS: Final[Mapping[type[AbsenceEvent], Callable[[Absence, Any], Absence]]] = {
    Voted: _voted,
    VoteDecided: _decided,
    VoteWithdrawn: _dropped,
    SeatKept: _kept,
    SideForfeited: _forfeited,
    SeatClaimed: _claimed,
    ClaimAnswered: _answered,
    ClaimEnded: _claim_ended,
    EndTimeSet: _latest_end,
    IdleWarningSent: _idle,
}


def _absence_folded(record: TableState, event: AbsenceEvent) -> TableState:
    return replace(record, absence=evolve(record.absence, event, record.seats))


def _search_ended(record: TableState, event: SubstituteSearchEnded) -> TableState:
    return replace(record, sought=tuple(one for one in record.sought if one.seat != event.seat))


FOLDS: Final[Mapping[type[AbsenceEvent], Callable[[TableState, Any], TableState]]] = {
    **dict.fromkeys(get_args(AbsenceEvent), _absence_folded),
    SubstituteSearchEnded: _search_ended,
}
