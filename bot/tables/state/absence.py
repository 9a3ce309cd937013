"""Absence in a table's state: votes about seats, claims to seats, automatic ends of games.

The module has the values in the table's state and the events of its log (`docs/long-games.md`, 4). Instants are UTC
milliseconds. Voters are named by seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from bot.engine.rules.rule_set import RuleSet
from bot.tables.state.person_annotation import Person

if TYPE_CHECKING:
    from bot.tables.state.snapshots import SeatHolder


class AbsenceChoice(StrEnum):
    """A choice in the vote about an absent player's seat; the value is its stable name."""

    WAIT = "wait"  # wait one more day
    COMPUTER = "computer"
    SUBSTITUTE = "substitute"
    END = "end"  # end the game; only finished deals count


class AbsenceReason(StrEnum):
    """The reason for a vote about a seat; the value is its stable name."""

    LAPSED = "lapsed"  # the seat's player is out of time
    GONE = "gone"  # the seat's player has left the guild


@dataclass(frozen=True, slots=True)
class Ballot:
    """The vote of the person in a seat."""

    seat: int
    choice: AbsenceChoice


@dataclass(frozen=True, slots=True)
class Vote:
    """A vote of the other players about a person's seat, with its start and the ballots cast."""

    seat: int
    person: Person
    why: AbsenceReason
    at: int
    ballots: tuple[Ballot, ...] = ()

    def choice_of(self, seat: int) -> AbsenceChoice | None:
        """Return the choice that the person in that seat voted for; None without a ballot."""
        return next((one.choice for one in self.ballots if one.seat == seat), None)


class ClaimKind(StrEnum):
    """The kind of a claim to a seat; the value is its stable name."""

    TAKE = "take"  # a person asks to replace a computer player
    RETURN = "return"  # a person who left on purpose asks for the seat back
    OBJECT = "object"  # opponents may object to a player's second return


@dataclass(frozen=True, slots=True)
class ClaimAnswer:
    """The answer of the person in a seat to a claim.

    If the question is whether to object, True objects.
    """

    seat: int
    agrees: bool


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim to a seat: the question to other players whether `holder` may take or keep it.

    `unknown`: the person is too new to the guild or to Discord, so all players have to agree.
    """

    kind: ClaimKind
    seat: int
    holder: SeatHolder
    at: int
    unknown: bool = False
    answers: tuple[ClaimAnswer, ...] = ()

    def answer_of(self, seat: int) -> bool | None:
        """Return the answer of the person in that seat to the claim; None if they have not answered."""
        return next((one.agrees for one in self.answers if one.seat == seat), None)


@dataclass(frozen=True, slots=True)
class SeatReturn:
    """A seat whose person came back, and the turn of the return (deal, turn)."""

    seat: int
    turn: tuple[int, int]


class EndChoice(StrEnum):
    """How to end a game after all opponents have been away for long; the value is its stable name."""

    PLAY_ON = "play_on"
    END = "end"  # end the game; only finished deals count
    CLAIM = "claim"  # the absent opponents have forfeited the game


@dataclass(frozen=True, slots=True)
class EndPick:
    """The choice of one seat's person how to end a game whose opponents have been away for long."""

    seat: int
    choice: EndChoice


@dataclass(frozen=True, slots=True)
class Unopposed:
    """The state of a game in which no opponent is left, with the choices of the remaining players.

    `since` is when the last opponent lost the seat. `open_at` is the instant from which the remaining players may
    choose how the game ends; `picks` are their choices.
    """

    since: int
    open_at: int | None = None
    picks: tuple[EndPick, ...] = ()

    def choice_of(self, seat: int) -> EndChoice | None:
        """Return how the person in that seat wants the game to end; None if they have not chosen."""
        return next((one.choice for one in self.picks if one.seat == seat), None)


@dataclass(frozen=True, slots=True)
class Absence:
    """The state of a table about absent players.

    `waiting` are votes queued after the open one. `waits` has a seat once for each day granted to it, `kept` once for
    each time a computer player took it because its person was absent; `left` are seats whose persons left on purpose.
    `seen` are persons who gave up a hand of the deal in play. `forfeited` are the sides that come last. `ends_at` is
    the latest end, as calculated at `ends_since`; `ends_told` says that players were warned of it. `idle_at` is when an
    idle game closes, once players were warned. `confirmed` is the turn in which the seat's person last ended the vote
    about it by saying that they are back. `unopposed` is set while no opponent is left.
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
        """Return the open claim to that seat; None if there is none."""
        return next((one for one in self.claims if one.seat == seat), None)

    def has_vote_on(self, seat: int) -> bool:
        """Return whether a vote about that seat is open or waiting."""
        return any(one.seat == seat for one in (self.vote, *self.waiting) if one is not None)


NOTHING: Final = Absence()


MOST_WAITS: Final = 3
"""Number of days that a seat may be granted in one game."""


class Holder(Protocol):
    """The interface of a seat's holder, with the fields that this module needs."""

    @property
    def person(self) -> int | None:
        """The person in the seat; None if a computer player or no one holds it."""

    @property
    def kept_for(self) -> int | None:
        """The person whose seat a computer player keeps."""


def has_one_player(seats: Iterable[Holder]) -> bool:
    """Return whether only one person sits at the table, and no seat is kept for another person."""
    persons = {one.person or one.kept_for or 0 for one in seats}
    return sum(person > 0 for person in persons) < 2


def has_no_opponent(seats: Sequence[Holder], rules: RuleSet) -> bool:
    """Return whether all seated persons are on one side, and a seat is kept for one of their opponents."""
    sides = {rules.side_of(seat) for seat, holder in enumerate(seats) if holder.person is not None}
    kept = {rules.side_of(seat) for seat, holder in enumerate(seats) if (holder.kept_for or 0) > 0}
    return len(sides) == 1 and not kept <= sides


def voters(seats: Sequence[Holder], vote: Vote) -> tuple[int, ...]:
    """Return the seats whose people may vote: all seated ones except the person the vote is about."""
    return tuple(seat for seat, holder in enumerate(seats) if holder.person not in (None, vote.person))


def vote_choices(seats: Sequence[Holder], rules: RuleSet, absence: Absence, vote: Vote) -> tuple[AbsenceChoice, ...]:
    """Return the choices that the voters have.

    Ending the game is one of them only if every side has a voter.
    """
    found = [AbsenceChoice.COMPUTER, AbsenceChoice.SUBSTITUTE]
    if vote.why is AbsenceReason.LAPSED and absence.waits.count(vote.seat) < MOST_WAITS:
        found.insert(0, AbsenceChoice.WAIT)
    if {rules.side_of(seat) for seat in voters(seats, vote)} == set(range(rules.sides)):
        found.append(AbsenceChoice.END)
    return tuple(found)


def answering_seats(seats: Sequence[Holder], rules: RuleSet, claim: Claim) -> tuple[int, ...]:
    """Return the seats whose people answer a claim.

    They are all seated people, or only the opponents if the question is whether to object.
    """
    found = tuple(seat for seat, holder in enumerate(seats) if holder.person is not None)
    if claim.kind is not ClaimKind.OBJECT:
        return found
    return tuple(seat for seat in found if rules.side_of(seat) != rules.side_of(claim.seat))


@dataclass(frozen=True, slots=True)
class VoteOpened:
    """A vote about a seat was called; it opens at `at`, or after the votes already open."""

    seat: int
    why: AbsenceReason
    at: int


@dataclass(frozen=True, slots=True)
class Voted:
    """The person in a seat voted, or changed their vote."""

    seat: int
    choice: AbsenceChoice


@dataclass(frozen=True, slots=True)
class VoteDecided:
    """The open vote was decided; `choice` is None if it became void."""

    choice: AbsenceChoice | None


@dataclass(frozen=True, slots=True)
class VoteWithdrawn:
    """A vote about a seat was cancelled while it waited for another vote to end."""

    seat: int


@dataclass(frozen=True, slots=True)
class SeatKept:
    """A computer player took a seat, and keeps it, because its person was absent."""

    seat: int


@dataclass(frozen=True, slots=True)
class SideForfeited:
    """A side forfeited the game because one of its players was absent; it comes last."""

    side: int


@dataclass(frozen=True, slots=True)
class SeatClaimed:
    """A person asked the other players to have a seat, or to keep it."""

    claim: Claim


@dataclass(frozen=True, slots=True)
class ClaimAnswered:
    """The person in the seat `voter` answered the claim to another seat."""

    seat: int
    voter: int
    agrees: bool


@dataclass(frozen=True, slots=True)
class ClaimEnded:
    """The claim to a seat was decided."""

    seat: int
    granted: bool


@dataclass(frozen=True, slots=True)
class SubstituteSearchEnded:
    """The search for a substitute for a seat ended."""

    seat: int


@dataclass(frozen=True, slots=True)
class EndTimeSet:
    """The latest end of the game was set at the instant `since`.

    `told` means that players were warned of it.
    """

    at: int
    since: int
    told: bool


@dataclass(frozen=True, slots=True)
class IdleWarningSent:
    """Players were warned when the idle game closes; None means that the closing was cancelled."""

    at: int | None


@dataclass(frozen=True, slots=True)
class ReturnConfirmed:
    """A person returned while the others voted about the seat; `turn` is (deal, turn)."""

    seat: int
    turn: tuple[int, int]


@dataclass(frozen=True, slots=True)
class OpponentsLost:
    """The last opponent of the remaining players lost the seat at the instant `at`."""

    at: int


@dataclass(frozen=True, slots=True)
class OpponentReturned:
    """An opponent of the remaining players is back, or no opponent's seat is kept any more."""


@dataclass(frozen=True, slots=True)
class EndChoiceOpened:
    """From the instant `at` on, players without opponents may choose how the game ends."""

    at: int


@dataclass(frozen=True, slots=True)
class EndPicked:
    """The person in a seat chose how the game without opponents ends, or changed that choice."""

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
