"""A tournament as a value: all of it, what its directors have ruled, and what is to be told.

Entries stand in `entries`, rounds and matches in `match_state`. Instants are UTC milliseconds, lengths milliseconds.
Nothing here knows a card.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from bot.tournaments.event.entries import Entrant, EntryStage, Person
from bot.tournaments.event.ladder import Ladder
from bot.tournaments.event.match_state import MatchState, RoundDraw, RoundState
from bot.tournaments.event.plan import Plan


class Stage(StrEnum):
    """How far a tournament is; the value is its stable name (`docs/tournaments.md` 2)."""

    DRAFT = "draft"
    OPEN = "open"
    CHECK_IN = "check_in"
    RUNNING = "running"
    CLOSING = "closing"  # all is played, and a director may still mend
    CLOSED = "closed"
    CANCELLED = "cancelled"


class RulingKind(StrEnum):
    """What a director has done that can be undone; the value is its stable name."""

    ADJUST = "adjust"  # other scores, deal by deal
    POINTS = "points"  # points without scores
    FORFEIT = "forfeit"
    VOID = "void"
    PENALTY = "penalty"
    BOARD = "board"  # an adjusted score of a board: 50/50 or 60/40


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """One ruling, numbered from 1.

    It holds from when it was made until it is `undone`; a later one on the same goes before it.

    `scores` are by deal and side, in a duplicate those of these `tables`, each a board and a room. `sides` are those
    that forfeit. A penalty falls on `entry` after round `round`.
    """

    number: int
    what: RulingKind
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
    entering opens, and stays where that is taken back: empty is that of a draft which nobody else has seen. `schedule`
    are rounds to come that are planned at once, as partners who change are. `since` is up to when the bot's absences
    have been accounted for. `names` are those of all persons.
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
    rounds: tuple[RoundState, ...] = ()
    matches: tuple[MatchState, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    cases: tuple[Case, ...] = ()
    news: tuple[News, ...] = ()
    boards: tuple[BoardState, ...] = ()
    schedule: tuple[RoundDraw, ...] = ()
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

    def question_to(self, person: int) -> Entrant | None:
        """The entry of which this person is asked to be a partner and has not answered; None where there is none."""
        entry = self.entry_of(person)
        return entry if entry is not None and entry.stage is EntryStage.ASKED and person not in entry.agreed else None

    def match(self, number: int) -> MatchState:
        """The match of that number. Raises `KeyError`."""
        for one in self.matches:
            if one.id == number:
                return one
        raise KeyError(number)

    def matches_of(self, round_number: int) -> tuple[MatchState, ...]:
        """The matches of a round, by table."""
        return tuple(one for one in self.matches if one.round == round_number and not one.voided)

    @property
    def current(self) -> RoundState | None:
        """The newest round; None before the first."""
        return self.rounds[-1] if self.rounds else None

    @property
    def paused(self) -> bool:
        """Whether a director has stopped it for a while."""
        return self.paused_at is not None
