"""Absence in a table's state: votes about seats, claims to seats, automatic ends of games.

The values kept in the record, the events of the log, and their folds (`docs/long-games.md`, 4). Instants are UTC
milliseconds. Voters are named by seat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, get_args

from bot.engine.rules.rule_set import RuleSet
from bot.tables.state.person_annotation import Person

if TYPE_CHECKING:
    from bot.tables.state.snapshots import SeatHolder
    from bot.tables.state.table import TableState


class AbsenceChoice(StrEnum):
    """A choice about an absent player's seat; the value is its stable name."""

    WAIT = "wait"  # wait one more day
    COMPUTER = "computer"
    SUBSTITUTE = "substitute"
    END = "end"  # end the game; only finished deals count


class AbsenceReason(StrEnum):
    """The reason for a vote about a seat; the value is its stable name."""

    LAPSED = "lapsed"  # its player is out of time
    GONE = "gone"  # its player has left the guild


@dataclass(frozen=True, slots=True)
class Ballot:
    """The vote of the person in a seat."""

    seat: int
    choice: AbsenceChoice


@dataclass(frozen=True, slots=True)
class Vote:
    """A vote of the other players about a person's seat, open since an instant."""

    seat: int
    person: Person
    why: AbsenceReason
    at: int
    ballots: tuple[Ballot, ...] = ()

    def choice_of(self, seat: int) -> AbsenceChoice | None:
        """Return the vote of the person in that seat."""
        return next((one.choice for one in self.ballots if one.seat == seat), None)


class ClaimKind(StrEnum):
    """The kind of a question about a seat; the value is its stable name."""

    TAKE = "take"  # a person asks to replace a computer player
    RETURN = "return"  # a person who left on purpose asks for the seat back
    OBJECT = "object"  # opponents may object to a player's second return


@dataclass(frozen=True, slots=True)
class ClaimAnswer:
    """The answer of the person in a seat to a claim; for an objection, True objects."""

    seat: int
    agrees: bool


@dataclass(frozen=True, slots=True)
class Claim:
    """A question about a seat, open since an instant; `holder` asks for the seat, or to keep it.

    `unknown`: the person is too new to the guild or to Discord, so all players have to agree.
    """

    kind: ClaimKind
    seat: int
    holder: SeatHolder
    at: int
    unknown: bool = False
    answers: tuple[ClaimAnswer, ...] = ()

    def answer_of(self, seat: int) -> bool | None:
        """Return the answer of the person in that seat."""
        return next((one.agrees for one in self.answers if one.seat == seat), None)


@dataclass(frozen=True, slots=True)
class SeatReturn:
    """The person in this seat came back in that turn (deal, turn)."""

    seat: int
    turn: tuple[int, int]


class EndChoice(StrEnum):
    """A player's choice after all opponents have been away for long; the value is its stable name."""

    PLAY_ON = "play_on"
    END = "end"  # end the game; only finished deals count
    CLAIM = "claim"  # the absent opponents have forfeited the game


@dataclass(frozen=True, slots=True)
class EndPick:
    """The choice of the person in a seat."""

    seat: int
    choice: EndChoice


@dataclass(frozen=True, slots=True)
class Unopposed:
    """The time since the last opponent lost the seat, with the choices of the remaining players.

    `open_at` is since when those who are left may choose how it goes on; `picks` are their choices.
    """

    since: int
    open_at: int | None = None
    picks: tuple[EndPick, ...] = ()

    def choice_of(self, seat: int) -> EndChoice | None:
        """Return the choice of the person in that seat."""
        return next((one.choice for one in self.picks if one.seat == seat), None)


@dataclass(frozen=True, slots=True)
class Absence:
    """The state of a table about absent players.

    `waiting` are votes queued after the open one. `waits` names a seat once for each day granted to it, `kept` once for
    each time a computer player took it because its person was absent; `left` are seats whose persons left on purpose.
    `seen` are persons who gave up a hand of the deal in play. `forfeited` are the sides that come last. `ends_at` is
    the latest end, as calculated at `ends_since`; `ends_told` says that players were warned of it. `idle_at` is when an
    idle game closes, once players were warned. `confirmed` is the turn in which the seat's person last ended the vote
    about it by saying that they are back. `unopposed` is set while nobody is left to play against.
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
    confirmed: SeatReturn | None = None
    unopposed: Unopposed | None = None

    def claim(self, seat: int) -> Claim | None:
        """Return the claim to that seat."""
        return next((one for one in self.claims if one.seat == seat), None)

    def votes_on(self, seat: int) -> bool:
        """Return whether a vote about that seat is open or waiting."""
        return any(one.seat == seat for one in (self.vote, *self.waiting) if one is not None)


NOTHING: Final = Absence()


MOST_WAITS: Final = 3
"""Number of days that a seat may be granted in one game."""


class Holder(Protocol):
    """The holder of a seat."""

    @property
    def person(self) -> int | None:
        """The person in the seat; None if a computer player or no one holds it."""

    @property
    def kept_for(self) -> int | None:
        """The person whose seat a computer player keeps."""


def is_alone(seats: Iterable[Holder]) -> bool:
    """Return whether only one person sits at the table, and no seat is kept for another person."""
    persons = {one.person or one.kept_for or 0 for one in seats}
    return sum(person > 0 for person in persons) < 2


def is_unopposed(seats: Sequence[Holder], rules: RuleSet) -> bool:
    """Return whether all seated persons are on one side, and a seat is kept for one of their opponents."""
    sides = {rules.side_of(seat) for seat, holder in enumerate(seats) if holder.person is not None}
    kept = {rules.side_of(seat) for seat, holder in enumerate(seats) if (holder.kept_for or 0) > 0}
    return len(sides) == 1 and not kept <= sides


def voters(seats: Sequence[Holder], vote: Vote) -> tuple[int, ...]:
    """Return the seats whose people decide the vote."""
    return tuple(seat for seat, holder in enumerate(seats) if holder.person not in (None, vote.person))


def choices(seats: Sequence[Holder], rules: RuleSet, absence: Absence, vote: Vote) -> tuple[AbsenceChoice, ...]:
    """Return the choices of the vote. Ending the game needs a voter on every side."""
    found = [AbsenceChoice.COMPUTER, AbsenceChoice.SUBSTITUTE]
    if vote.why is AbsenceReason.LAPSED and absence.waits.count(vote.seat) < MOST_WAITS:
        found.insert(0, AbsenceChoice.WAIT)
    if {rules.side_of(seat) for seat in voters(seats, vote)} == set(range(rules.sides)):
        found.append(AbsenceChoice.END)
    return tuple(found)


def answering_seats(seats: Sequence[Holder], rules: RuleSet, claim: Claim) -> tuple[int, ...]:
    """Return the seats that answer a claim: all others; for an objection, the opponents."""
    found = tuple(seat for seat, holder in enumerate(seats) if holder.person is not None)
    if claim.kind is not ClaimKind.OBJECT:
        return found
    return tuple(seat for seat in found if rules.side_of(seat) != rules.side_of(claim.seat))


@dataclass(frozen=True, slots=True)
class VoteOpened:
    """A vote about a seat was called: it opens at that instant, or after the votes already open."""

    seat: int
    why: AbsenceReason
    at: int


@dataclass(frozen=True, slots=True)
class Voted:
    """The person in a seat votes, or changes their vote."""

    seat: int
    choice: AbsenceChoice


@dataclass(frozen=True, slots=True)
class VoteDecided:
    """The open vote is decided; None means that it became void."""

    choice: AbsenceChoice | None


@dataclass(frozen=True, slots=True)
class VoteWithdrawn:
    """A waiting vote about a seat is cancelled."""

    seat: int


@dataclass(frozen=True, slots=True)
class SeatKept:
    """A computer player keeps a seat because its person was absent."""

    seat: int


@dataclass(frozen=True, slots=True)
class SideForfeited:
    """A side comes last, because one of its players was absent."""

    side: int


@dataclass(frozen=True, slots=True)
class SeatClaimed:
    """A person asks to have a seat, or to keep one."""

    claim: Claim


@dataclass(frozen=True, slots=True)
class ClaimAnswered:
    """The person in a seat (`voter`) answers the claim to another seat."""

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
    """The search for a substitute for a seat is over."""

    seat: int


@dataclass(frozen=True, slots=True)
class EndTimeSet:
    """The latest end of the game was set at instant `since`; `told`: players were warned of it."""

    at: int
    since: int
    told: bool


@dataclass(frozen=True, slots=True)
class IdleWarningSent:
    """Players were warned that the idle game closes at that instant; None cancels this after a move."""

    at: int | None


@dataclass(frozen=True, slots=True)
class ReturnConfirmed:
    """A person returned while the others voted about the seat; `turn` is (deal, turn)."""

    seat: int
    turn: tuple[int, int]


@dataclass(frozen=True, slots=True)
class OpponentsLost:
    """The last opponent was lost at that instant."""

    at: int


@dataclass(frozen=True, slots=True)
class OpponentReturned:
    """An opponent is back, or there is no longer an opponent to wait for."""


@dataclass(frozen=True, slots=True)
class EndChoiceOpened:
    """From that instant the remaining players may choose how the game goes on."""

    at: int


@dataclass(frozen=True, slots=True)
class EndPicked:
    """The person in a seat chooses how the game goes on without opponents, or changes that choice."""

    seat: int
    choice: EndChoice


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
    | ReturnConfirmed
    | OpponentsLost
    | OpponentReturned
    | EndChoiceOpened
    | EndPicked
)


def evolve(absence: Absence, event: AbsenceEvent, seats: Sequence[SeatHolder]) -> Absence:
    """Return the absence state after one event; `seats` are the holders of the seats."""
    if isinstance(event, VoteOpened):
        person = seats[event.seat].person
        return absence if person is None else _open_vote(absence, Vote(event.seat, person, event.why, event.at))
    return _HANDLERS[type(event)](absence, event)


def seat_changed(
    absence: Absence, before: SeatHolder, after: SeatHolder, *, seat: int, turn: tuple[int, int] | None
) -> Absence:
    """Return the absence state after a seat got another holder, in that turn; None before the first deal."""
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
        left=(*_without_seat(absence.left, seat), *left),
        seen=(*absence.seen, *seen),
        waits=_without_seat(absence.waits, seat) if new else absence.waits,
        kept=_without_seat(absence.kept, seat) if new else absence.kept,
        claims=tuple(_without_answer(one, seat) for one in absence.claims),
        returned=SeatReturn(seat, turn) if came_back and turn is not None else absence.returned,
        unopposed=_without_pick(absence.unopposed, seat),
    )


def _without_seat(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    """Return the seats without that one."""
    return tuple(one for one in seats if one != seat)


def _without_answer(claim: Claim, seat: int) -> Claim:
    """Return the claim without that seat's answer."""
    return replace(claim, answers=tuple(one for one in claim.answers if one.seat != seat))


def _open_vote(absence: Absence, vote: Vote) -> Absence:
    """Open a vote about a seat, or let it wait if a vote about another seat is open."""
    waiting = tuple(one for one in absence.waiting if one.seat != vote.seat)
    if absence.vote is None or absence.vote.seat == vote.seat:
        return replace(absence, vote=vote, waiting=waiting)
    return replace(absence, waiting=(*waiting, vote))


def _record_vote(absence: Absence, event: Voted) -> Absence:
    """Record a ballot, replacing the seat's earlier one."""
    vote = absence.vote
    if vote is None:
        return absence
    others = tuple(one for one in vote.ballots if one.seat != event.seat)
    return replace(absence, vote=replace(vote, ballots=(*others, Ballot(event.seat, event.choice))))


def _decide_vote(absence: Absence, event: VoteDecided) -> Absence:
    """Remove the open vote; if players decided to wait, count a granted day for its seat."""
    waited = () if absence.vote is None or event.choice is not AbsenceChoice.WAIT else (absence.vote.seat,)
    return replace(absence, vote=None, waits=(*absence.waits, *waited))


def _withdraw_vote(absence: Absence, event: VoteWithdrawn) -> Absence:
    """Remove a waiting vote."""
    return replace(absence, waiting=tuple(one for one in absence.waiting if one.seat != event.seat))


def _keep_seat(absence: Absence, event: SeatKept) -> Absence:
    """Mark the seat as kept for its absent person."""
    return replace(absence, kept=(*absence.kept, event.seat), left=_without_seat(absence.left, event.seat))


def _forfeit_side(absence: Absence, event: SideForfeited) -> Absence:
    """Mark the side as having forfeited."""
    return replace(absence, forfeited=(*absence.forfeited, event.side))


def _open_claim(absence: Absence, event: SeatClaimed) -> Absence:
    """Add a claim."""
    return replace(absence, claims=(*absence.claims, event.claim))


def _answer_claim(absence: Absence, event: ClaimAnswered) -> Absence:
    """Record an answer to a claim, replacing the seat's earlier one."""
    answer = ClaimAnswer(event.voter, event.agrees)
    claims = (
        replace(one, answers=(*_without_answer(one, event.voter).answers, answer)) if one.seat == event.seat else one
        for one in absence.claims
    )
    return replace(absence, claims=tuple(claims))


def _end_claim(absence: Absence, event: ClaimEnded) -> Absence:
    """Remove the claim to the seat."""
    return replace(absence, claims=tuple(one for one in absence.claims if one.seat != event.seat))


def _set_latest_end(absence: Absence, event: EndTimeSet) -> Absence:
    """Set the latest end of the game."""
    return replace(absence, ends_at=event.at, ends_since=event.since, ends_told=event.told)


def _warn_idle(absence: Absence, event: IdleWarningSent) -> Absence:
    """Record the announced end of an idle game; None removes it."""
    return replace(absence, idle_at=event.at)


def _confirm_return(absence: Absence, event: ReturnConfirmed) -> Absence:
    """Record that the seat's person returned in that turn."""
    return replace(absence, confirmed=SeatReturn(event.seat, event.turn))


def _lose_opponents(absence: Absence, event: OpponentsLost) -> Absence:
    """Record the time since which no opponent is left."""
    return replace(absence, unopposed=Unopposed(event.at))


def _regain_opponent(absence: Absence, _event: OpponentReturned) -> Absence:
    """Record that there is an opponent again, or no longer one to wait for."""
    return replace(absence, unopposed=None)


def _open_end_choice(absence: Absence, event: EndChoiceOpened) -> Absence:
    """Record the time from which the remaining players may choose how the game goes on."""
    found = absence.unopposed
    return absence if found is None else replace(absence, unopposed=replace(found, open_at=event.at))


def _pick_end(absence: Absence, event: EndPicked) -> Absence:
    """Record a player's choice of how the game goes on, replacing the earlier one."""
    found = _without_pick(absence.unopposed, event.seat)
    if found is None:
        return absence
    return replace(absence, unopposed=replace(found, picks=(*found.picks, EndPick(event.seat, event.choice))))


def _without_pick(unopposed: Unopposed | None, seat: int) -> Unopposed | None:
    """Return `unopposed` without that seat's choice."""
    if unopposed is None:
        return None
    return replace(unopposed, picks=tuple(one for one in unopposed.picks if one.seat != seat))


_HANDLERS: Final[Mapping[type[AbsenceEvent], Callable[[Absence, Any], Absence]]] = {
    Voted: _record_vote,
    VoteDecided: _decide_vote,
    VoteWithdrawn: _withdraw_vote,
    SeatKept: _keep_seat,
    SideForfeited: _forfeit_side,
    SeatClaimed: _open_claim,
    ClaimAnswered: _answer_claim,
    ClaimEnded: _end_claim,
    EndTimeSet: _set_latest_end,
    IdleWarningSent: _warn_idle,
    ReturnConfirmed: _confirm_return,
    OpponentsLost: _lose_opponents,
    OpponentReturned: _regain_opponent,
    EndChoiceOpened: _open_end_choice,
    EndPicked: _pick_end,
}


def _fold_absence(record: TableState, event: AbsenceEvent) -> TableState:
    """Apply an event of this module to the record."""
    return replace(record, absence=evolve(record.absence, event, record.seats))


def _end_search(record: TableState, event: SubstituteSearchEnded) -> TableState:
    """Remove the search for a substitute for the seat."""
    return replace(record, sought=tuple(one for one in record.sought if one.seat != event.seat))


FOLDS: Final[Mapping[type[AbsenceEvent], Callable[[TableState, Any], TableState]]] = {
    **dict.fromkeys(get_args(AbsenceEvent), _fold_absence),
    SubstituteSearchEnded: _end_search,
}
