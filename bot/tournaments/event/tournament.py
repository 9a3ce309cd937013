"""The whole value of a tournament, with its rulings, cases and news.

Entries are in `entries`, rounds and matches in `match_state`. Instants are UTC milliseconds, durations milliseconds. No
cards are stored here.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

from bot.tournaments.boards.movement import Movement
from bot.tournaments.event.entries import Entrant, EntryStage, Person
from bot.tournaments.event.ladder import Ladder
from bot.tournaments.event.match_state import MatchState, RoundDraw, RoundState
from bot.tournaments.event.plan import Plan


class Stage(StrEnum):
    """Stages of a tournament; the value is its stable name (`docs/tournaments.md` 2)."""

    DRAFT = "draft"
    OPEN = "open"
    CHECK_IN = "check_in"
    RUNNING = "running"
    CLOSING = "closing"  # all is played; directors may still correct results
    CLOSED = "closed"
    CANCELLED = "cancelled"


class RulingKind(StrEnum):
    """Kinds of rulings that can be undone; the value is its stable name."""

    ADJUST = "adjust"  # other scores, deal by deal
    POINTS = "points"  # points without scores
    FORFEIT = "forfeit"
    VOID = "void"
    PENALTY = "penalty"
    BOARD = "board"  # an adjusted score of a board: 50/50 or 60/40
    RUNG = "rung"  # an entry's rung on a ladder


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """One ruling, numbered from 1; valid until `undone` or replaced by a later one on the match.

    `points` are match points, those of a penalty, or a rung. `scores` are by deal and side, in a duplicate those of
    these `tables`, each a board and a room. `sides` are those that forfeit. A penalty applies to `entry` after
    round `round`.
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
    """A player's call for a director, open until it is answered; `deal` is the deal in play at that time."""

    number: int
    match: int
    by: Person
    at: int
    text: str = ""
    deal: int | None = None
    answer: str = ""
    answered_by: Person | None = None


class Audience(StrEnum):
    """Recipients of a news item; the value is its stable name."""

    ALL = "all"  # the tournament's channel
    MATCH = "match"  # the thread of a match
    PERSONS = "persons"  # the given persons only
    DIRECTORS = "directors"


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """A message sent once. `code` names the sentence; `numbers` and `texts` are its values.

    `persons` are its recipients, mentioned if it `pings`; `about` are other persons, and `entries` the entries,
    that the sentence names.
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
    """Stages of a board; the value is its stable name."""

    CLOSED = "closed"  # not played at any table
    PLAYED = "played"  # played at some tables, and sealed
    OPEN = "open"  # played at all tables, and comparable


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardState:
    """A board of a duplicate. Its commitment is public from the start; its seed is not stored here.

    `began_at` is when the first table opened it, `opened_at` when its results were published.
    """

    number: int
    minimum: int
    dealer: int
    commitment: str
    stage: BoardStage = BoardStage.CLOSED
    began_at: int | None = None
    opened_at: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NightOf:
    """The place of a tournament in a series: its season and number, and the series' name at that time."""

    series: int
    name: str
    season: int
    number: int
    final: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament:
    """A whole tournament, except for its secret seeds, which are stored separately.

    `id`, `guild` and `channel` are its number and place, `directors` start with its creator. `commitment` is
    published with the tournament and kept if that is undone; it is empty only for a draft that was never public.
    `movement` is that of a duplicate for pairs since its start. `schedule` are future rounds drawn in advance
    (partners who change). `since` is the instant up to which the
    bot's absences are accounted for. `night` is its place in a series, if it belongs to one. `names` are those of all
    persons. Entries and matches are in order of their numbers.
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
    movement: Movement | None = None
    schedule: tuple[RoundDraw, ...] = ()
    ladder: Ladder | None = None
    rounds_planned: int | None = None
    closed_at: int | None = None
    lot_shown: str = ""
    night: NightOf | None = None
    names: Mapping[int, str] = field(default_factory=dict)

    def entrant(self, entry_number: int) -> Entrant:
        """Return the entry of that number. Raises `KeyError`."""
        return _find_by_number(self.entrants, entry_number, lambda one: one.number)

    def entry_of(self, person: int) -> Entrant | None:
        """Return the entry that the person is in and that has not left, or None; regulars are in it too."""
        return next((one for one in self.entrants if person in one.members and not one.has_left), None)

    def regular_invitation_to(self, person: int) -> Entrant | None:
        """Return the entry that waits for this person's answer as a regular, or None."""
        asking = (one for one in self.entrants if not one.has_left and any(each.person == person for each in one.asked))
        return next(asking, None)

    def partner_invitation_to(self, person: int) -> Entrant | None:
        """Return the entry that waits for this person's answer as a partner, or None."""
        entry = self.entry_of(person)
        return entry if entry is not None and entry.stage is EntryStage.ASKED and person not in entry.agreed else None

    def match(self, match_number: int) -> MatchState:
        """Return the match of that number. Raises `KeyError`."""
        return _find_by_number(self.matches, match_number, lambda one: one.id)

    def find_match(self, match_number: int) -> MatchState | None:
        """Return the match of that number, or None."""
        try:
            return self.match(match_number)
        except KeyError:
            return None

    def matches_of(self, round_number: int) -> tuple[MatchState, ...]:
        """Return the matches of a round, by table."""
        return tuple(one for one in self.matches if one.round == round_number and not one.voided)

    @property
    def current_round(self) -> RoundState | None:
        """The newest round; None before the first."""
        return self.rounds[-1] if self.rounds else None

    @property
    def is_paused(self) -> bool:
        """Whether a director has paused the tournament."""
        return self.paused_at is not None


Numbered = TypeVar("Numbered")


def _find_by_number(sorted_items: Sequence[Numbered], number: int, number_of: Callable[[Numbered], int]) -> Numbered:
    """Return the item of that number. Raises `KeyError`."""
    place = bisect_left(sorted_items, number, key=number_of)
    if place < len(sorted_items) and number_of(sorted_items[place]) == number:
        return sorted_items[place]
    raise KeyError(number)
