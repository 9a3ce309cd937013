"""Rounds and matches of a tournament as values. Instants are UTC milliseconds; nothing here knows a card."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from bot.tournaments.course import Deal, Unpaired
from bot.tournaments.event.entries import Person


class MatchStage(StrEnum):
    """How far a match is; the value is its stable name."""

    WAITING = "waiting"  # drawn
    CALLED = "called"  # its players are asked to their table
    PLAYING = "playing"
    DONE = "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSeat:
    """A person who held a seat, in how many deals; None is the computer player."""

    person: Person | None
    seat: int
    deals: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What became of a match at its table, before anybody ruled on it.

    `forfeited` are the sides that gave up or did not come. `winner` is the side that goes on where one has to.
    `piles` are facts for the directors' lists (`docs/tournaments.md` 7): by side, piles of ten cards and more that it
    left to the other one while it could have discarded otherwise. A match that a director ended before it was over is
    `ruled`: that can be taken back.
    """

    deals: tuple[Deal, ...] = ()
    forfeited: tuple[int, ...] = ()
    winner: int | None = None
    seated: tuple[MatchSeat, ...] = ()
    finished_at: int = 0
    void: bool = False
    piles: tuple[int, ...] = ()
    without_cause: bool = False
    ruled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchTable:
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
class MatchState:
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
    tables: tuple[MatchTable, ...] = ()
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
class UnpairedEntry:
    """An entry without a match in a round."""

    entry: int
    code: Unpaired
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundState:
    """A round of the tournament, from 1; `part` is its part of a bracket. `call_at` is when its tables are made."""

    number: int
    part: str = ""
    stage: RoundStage = RoundStage.DRAWN
    order: tuple[int, ...] = ()
    cost: tuple[int, ...] = ()
    by_hand: bool = False
    away: tuple[UnpairedEntry, ...] = ()
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
class RoundDraw:
    """A round as it is to be: who meets whom, who has no match, and how that came about."""

    fixtures: tuple[Fixture, ...]
    away: tuple[UnpairedEntry, ...] = ()
    order: tuple[int, ...] = ()
    cost: tuple[int, ...] = ()
    part: str = ""
    by_hand: bool = False
