"""A tournament as a value: its entries, rounds and matches, what its directors have ruled, and what is to be told.

A person is stored by a number (`bot.tournaments.keeping`), so every field that holds one says so by its type. Instants
are UTC milliseconds, lengths milliseconds. Nothing here knows a card.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NewType

from bot.tournaments.course import Deal, Unpaired
from bot.tournaments.event.plan import Plan
from bot.tournaments.ladder import Ladder

Person = NewType("Person", int)
"""A Discord account, below zero once it was forgotten on demand."""


class Stage(StrEnum):
    """How far a tournament is; the value is its stable name (`docs/tournaments.md` 2)."""

    DRAFT = "draft"
    OPEN = "open"
    CHECK_IN = "check_in"
    RUNNING = "running"
    CLOSING = "closing"  # all is played, and a director may still mend
    CLOSED = "closed"
    CANCELLED = "cancelled"


class EntryStage(StrEnum):
    """How an entry stands; the value is its stable name."""

    ASKED = "asked"  # a partner has not said yes
    ENTERED = "entered"
    WAITING = "waiting"  # in the order of coming, until a place is free
    HERE = "here"  # all its persons have checked in
    PLAYING = "playing"
    LEFT = "left"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """An entry: its persons and how it stands.

    `agreed` are the persons who have said yes to it, `here` those who have checked in. `shares` are the requests by
    which they did, their part of the shuffle of boards. `rank` is its place in the start order, 0 before there is one.
    `sits_out` are rounds that it announced to miss, `asked_until` when a partner has to answer by. `late` entries came
    after the first round. `substituted` counts the matches in which somebody played in its place. `captain` entered it.
    """

    number: int
    people: tuple[Person, ...]
    captain: Person
    stage: EntryStage
    entered_at: int
    agreed: tuple[Person, ...] = ()
    asked_until: int | None = None
    here: tuple[Person, ...] = ()
    shares: tuple[int, ...] = ()
    rank: int = 0
    from_round: int = 1
    last_round: int | None = None
    sits_out: tuple[int, ...] = ()
    annulled: bool = False
    substituted: int = 0

    @property
    def active(self) -> bool:
        """Whether it takes part in the rounds to come."""
        return self.stage is EntryStage.PLAYING


class MatchStage(StrEnum):
    """How far a match is; the value is its stable name."""

    WAITING = "waiting"  # drawn
    CALLED = "called"  # its players are asked to their table
    PLAYING = "playing"
    DONE = "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class Seated:
    """A person who held a seat, in how many deals; None is the computer player."""

    person: Person | None
    seat: int
    deals: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What became of a match at its table, before anybody ruled on it.

    `forfeited` are the sides that gave up or did not come. `winner` is the side that goes on where one has to.
    `piles` are facts for the directors' lists (`docs/tournaments.md` 7): by side, piles of ten cards and more that it
    left to the other one while it could have discarded otherwise.
    """

    deals: tuple[Deal, ...] = ()
    forfeited: tuple[int, ...] = ()
    winner: int | None = None
    seated: tuple[Seated, ...] = ()
    finished_at: int = 0
    void: bool = False
    piles: tuple[int, ...] = ()
    without_cause: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOf:
    """A table at which a match, or one board of it, is played. `room` is 2 where a team's second pair plays it."""

    table: int
    board: int | None = None
    room: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardPlayed:
    """What the sides of a table made on a board, North–South first; the first room has the first side there.

    `at` is when that was known.
    """

    board: int
    room: int
    scores: tuple[int, ...]
    at: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """A match. `table` is its number in the round; `sides` are entries, the side that leads first.

    `seats` are the persons by seat, chosen when it is called; `tables` the tables it was played at. `place` is the
    channel or thread of its table, `second_place` that of a team's second room. `arrived` are the persons who have been
    at it since. Those who have not are waited for from `missed_since` on, None for since it was opened. `due` is when
    its round ends for it; `ending` tells that no deal follows the one in progress. `waited` counts how often a director
    has given an absent side more time, `warned` how often its end was announced, `further` the deals added because the
    sides were equal. A match of a round that was declared void is `voided` with it. `boards` are those that it plays in
    a duplicate, `played` what has been made on them.
    """

    id: int
    round: int
    table: int
    sides: tuple[tuple[int, ...], ...]
    slot: str = ""
    stage: MatchStage = MatchStage.WAITING
    seats: tuple[Person | None, ...] = ()
    place: int | None = None
    tables: tuple[TableOf, ...] = ()
    called_at: int | None = None
    opened_at: int | None = None
    missed_since: int | None = None
    arrived: tuple[Person, ...] = ()
    waited: int = 0
    due: int | None = None
    ending: bool = False
    extended: bool = False
    warned: int = 0
    further: int = 0
    result: Result | None = None
    boards: tuple[int, ...] = ()
    played: tuple[BoardPlayed, ...] = ()
    voided: bool = False
    second_place: int | None = None

    def place_in(self, room: int) -> int | None:
        """The channel or thread of the table in that room."""
        return self.place if room == 1 else self.second_place


class RoundStage(StrEnum):
    """How far a round is; the value is its stable name."""

    DRAWN = "drawn"
    CALLED = "called"
    COMPLETE = "complete"  # the last result is in, and stands for a while
    FINAL = "final"


@dataclass(frozen=True, slots=True, kw_only=True)
class Away:
    """An entry without a match in a round."""

    entry: int
    code: Unpaired
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A round of the tournament, from 1; `part` is its part of a bracket. `call_at` is when its tables are made."""

    number: int
    part: str = ""
    stage: RoundStage = RoundStage.DRAWN
    order: tuple[int, ...] = ()
    cost: tuple[int, ...] = ()
    by_hand: bool = False
    away: tuple[Away, ...] = ()
    drawn_at: int = 0
    call_at: int = 0
    called_at: int | None = None
    complete_at: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixture:
    """A match to be: its sides, its slot in a bracket, its boards; `forfeited` sides have left and do not come."""

    sides: tuple[tuple[int, ...], ...]
    slot: str = ""
    boards: tuple[int, ...] = ()
    forfeited: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A round as it is to be: who meets whom, who has no match, and how that came about."""

    fixtures: tuple[Fixture, ...]
    away: tuple[Away, ...] = ()
    order: tuple[int, ...] = ()
    cost: tuple[int, ...] = ()
    part: str = ""
    by_hand: bool = False


class Ruled(StrEnum):
    """What a director has done that can be undone; the value is its stable name."""

    ADJUST = "adjust"  # other scores, deal by deal
    POINTS = "points"  # points without scores
    FORFEIT = "forfeit"
    VOID = "void"
    PENALTY = "penalty"
    BOARD = "board"  # an adjusted score of a board: 50/50 or 60/40


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """One ruling, numbered from 1. It holds from when it was made until it is `undone`; a later one on the same goes
    before it.

    `scores` are by deal and side, in a duplicate those of these `tables`, each a board and a room. `sides` are those
    that forfeit. A penalty falls on `entry` after round `round`.
    """

    number: int
    what: Ruled
    reason: str
    by: Person
    at: int
    match: int | None = None
    entry: int | None = None
    round: int = 0
    scores: tuple[tuple[int, ...], ...] = ()
    points: tuple[int, ...] = ()
    sides: tuple[int, ...] = ()
    winner: int | None = None
    category: str = ""
    level: int = 0
    board: int | None = None
    undone: bool = False
    tables: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What a player has called the directors for, until one has ruled; `of` is the deal that was played then."""

    number: int
    match: int
    by: Person
    at: int
    text: str = ""
    deal: int | None = None
    answer: str = ""
    answered_by: Person | None = None


class Audience(StrEnum):
    """Who is told a piece of news; the value is its stable name."""

    ALL = "all"  # the tournament's channel
    MATCH = "match"  # the thread of a match
    PERSONS = "persons"  # these alone
    DIRECTORS = "directors"


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """Something that is told once. `code` names the sentence; `numbers` and `texts` are its values.

    `persons` are those who are told of it, or called where it `pings`; `about` are others whom the sentence names, and
    `entries` the entries that it names.
    """

    number: int
    code: str
    at: int
    audience: Audience = Audience.ALL
    match: int | None = None
    persons: tuple[Person, ...] = ()
    about: tuple[Person, ...] = ()
    entries: tuple[int, ...] = ()
    numbers: Mapping[str, int] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    pings: bool = False


class BoardStage(StrEnum):
    """How far a board is; the value is its stable name."""

    CLOSED = "closed"  # nobody has played it yet
    PLAYED = "played"  # at some tables, and sealed
    OPEN = "open"  # at all of them, and comparable


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardState:
    """A board of a duplicate; its seed stands apart until it is open, the commitment is published from the start.

    `began_at` is when the first table came to it, `opened_at` when its results were opened.
    """

    number: int
    minimum: int
    dealer: int
    commitment: str
    stage: BoardStage = BoardStage.CLOSED
    began_at: int | None = None
    opened_at: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament:
    """All of a tournament but its lot and the seeds of its boards, which stand apart.

    `id`, `guild` and `channel` are its number and place, `directors` its creator first. `commitment` is published when
    entering opens. `schedule` are rounds to come that are planned at once, as partners who change are. `since` is up to
    when the bot's absences have been accounted for. `names` are those of all persons.
    """

    plan: Plan
    directors: tuple[Person, ...]
    created_at: int
    since: int
    id: int = 0
    version: int = 0
    guild: int = 0
    channel: int = 0
    stage: Stage = Stage.DRAFT
    paused_at: int | None = None
    commitment: str = ""
    entrants: tuple[Entrant, ...] = ()
    rounds: tuple[Turn, ...] = ()
    matches: tuple[Contest, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    cases: tuple[Case, ...] = ()
    news: tuple[News, ...] = ()
    boards: tuple[BoardState, ...] = ()
    schedule: tuple[Drawing, ...] = ()
    ladder: Ladder | None = None
    rounds_planned: int | None = None
    closed_at: int | None = None
    lot_shown: str = ""
    names: Mapping[int, str] = field(default_factory=dict)

    def entrant(self, number: int) -> Entrant:
        """The entry of that number. Raises `KeyError`."""
        for one in self.entrants:
            if one.number == number:
                return one
        raise KeyError(number)

    def entry_of(self, person: int) -> Entrant | None:
        """The entry that has this person and has not left; None where there is none."""
        gone = (EntryStage.LEFT, EntryStage.REMOVED)
        return next((one for one in self.entrants if person in one.people and one.stage not in gone), None)

    def match(self, number: int) -> Contest:
        """The match of that number. Raises `KeyError`."""
        for one in self.matches:
            if one.id == number:
                return one
        raise KeyError(number)

    def matches_of(self, round_number: int) -> tuple[Contest, ...]:
        """The matches of a round, by table."""
        return tuple(one for one in self.matches if one.round == round_number and not one.voided)

    @property
    def current(self) -> Turn | None:
        """The newest round; None before the first."""
        return self.rounds[-1] if self.rounds else None

    @property
    def paused(self) -> bool:
        """Whether a director has stopped it for a while."""
        return self.paused_at is not None
