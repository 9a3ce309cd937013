"""Rounds and matches of a tournament as values. Instants are UTC milliseconds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from bot.tournaments.counted_results import Deal, UnpairedReason
from bot.tournaments.event.entries import Person


class MatchStage(StrEnum):
    """Stages of a match; the value is its stable name."""

    WAITING = "waiting"  # drawn, and not called yet
    CALLED = "called"  # its players are asked to their table
    PLAYING = "playing"
    DONE = "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSeat:
    """A person who held a seat, and in how many deals. The person is None for a computer player."""

    person: Person | None
    seat: int
    deals: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The result of a match at its table, before any ruling.

    `forfeited` are the sides that gave up or did not come. `winner` is the side that goes on in an elimination.
    `piles` are for the directors' lists (`docs/tournaments.md` 7): by side, piles of ten or more cards that it left
    to the other side with a safe discard in hand. `ruled` marks a match that a director ended before it was over;
    that can be undone.
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
    """A table that plays a match, or one board of it; `room` is 2 for a team's second pair."""

    table: int
    board: int | None = None
    room: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardPlayed:
    """The scores of a board at one table, North–South first; in room 1 the first side is North–South.

    `at` is when the scores were known.
    """

    board: int
    room: int
    scores: tuple[int, ...]
    at: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A turn of a person who is not known to be present at the match; `since` is when it began.

    `seat` counts through both rooms. `waited` is how often the wait was announced or made longer.
    """

    room: int
    seat: int
    since: int
    waited: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedTime:
    """A time that a player offered for a slow match, and the persons whom it suits, including that player."""

    at: int
    by: Person
    offered_at: int
    suits: tuple[Person, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchState:
    """A match. `table` is its number in the round; `sides` are entries, the side that leads first.

    `seats` are the persons by seat, set when it is called; `tables` the tables it was played at. `place` is the channel
    or thread of its table, `second_place` that of a team's second room. `arrived` are the persons known to be present,
    `turns` the turns of persons who are not. `due` is when its round ends for it; `ending` means that no deal follows
    the one in progress. `warned` counts how often its end was announced, `further` the deals added because the sides
    were equal. `voided` matches belong to a voided round or were replaced. `boards` are the boards of a duplicate,
    `played` the scores made on them. `times` are the offered times, `agreed_at` the one that suits everyone, and
    `reminded` how many reminders of it were sent; `missed` names a side once for each agreed time that it missed. The
    live clock runs from `agreed_at` to `hours_until`; `came` are the persons known to be present since `agreed_at`.
    `stood_in` are members of its entries who took the seat of an absent person.
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
    turns: tuple[Turn, ...] = ()
    arrived: tuple[Person, ...] = ()
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
    times: tuple[OfferedTime, ...] = ()
    agreed_at: int | None = None
    reminded: int = 0
    missed: tuple[int, ...] = ()
    hours_until: int | None = None
    came: tuple[Person, ...] = ()
    stood_in: tuple[Person, ...] = ()

    @property
    def present_persons(self) -> tuple[Person, ...]:
        """The persons whose clocks run, because they are known to be present.

        During an agreed time, only persons who have come to it count.
        """
        return self.arrived if self.hours_until is None else self.came

    def channel_of_room(self, room: int) -> int | None:
        """Return the channel or thread of the table in that room."""
        return self.place if room == 1 else self.second_place


class RoundStage(StrEnum):
    """Stages of a round; the value is its stable name."""

    DRAWN = "drawn"
    CALLED = "called"
    COMPLETE = "complete"  # the last result is in; corrections are still possible
    FINAL = "final"


@dataclass(frozen=True, slots=True, kw_only=True)
class UnpairedEntry:
    """An entry without a match in a round."""

    entry: int
    code: UnpairedReason
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundState:
    """A round of the tournament, numbered from 1; `part` is its part of a bracket.

    `call_at` is when it is due to be called.
    """

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
    """A match to be created: its sides, bracket slot and boards; `forfeited` sides have left."""

    sides: tuple[tuple[int, ...], ...]
    slot: str = ""
    boards: tuple[int, ...] = ()
    forfeited: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundDraw:
    """A drawn round: its matches, the entries without one, and how the draw was made."""

    fixtures: tuple[Fixture, ...]
    away: tuple[UnpairedEntry, ...] = ()
    order: tuple[int, ...] = ()
    cost: tuple[int, ...] = ()
    part: str = ""
    by_hand: bool = False
