"""The record: the whole state of one table from its lobby to its end, hidden cards included.

A record is an immutable value, the result of all events in the table's log (`bot.tables.state.fold`).

Stored data refers to the people of a table by numbers (`TablePersons`). A person has a number for each name and account
name used at the table; the same person with the same names always has the same number.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from bot.clocks.clock import Spans
from bot.engine.cards.cards import Card
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.state import State, seat_to_act
from bot.store.errors import UndecodableData
from bot.store.table_changes import StoredHolder
from bot.tables.state.absence import NOTHING, Absence
from bot.tables.state.clocks import USUAL, Clocks, Conclusion, Pause, TableSettings
from bot.tables.state.contest import ContestTable
from bot.tables.state.events import MOVED_BY_OUTAGES, Deadline, PackFixed
from bot.tables.state.person_annotation import Person
from bot.tables.state.proposals import PastProposal, Proposal, ProposalKind, SubstituteSearch
from bot.tables.state.snapshots import (
    ClosingReason,
    DealLeftovers,
    HintCount,
    MissedRoll,
    RecentEvent,
    RollCall,
    SeatHolder,
    SeatTenure,
    Shuffle,
    Status,
    WaitingQuestion,
)

LONGEST: Final = 32
MARKS_IN_A_ROW: Final = 2
NAMELESS: Final = "?"


@lru_cache(maxsize=1024)
def clean_name(name: str, *, nameless: str = NAMELESS, longest: int = LONGEST) -> str:
    """Return the name in composed form (NFC), on one line, with at most `longest` characters.

    Invisible, reordering and stacked marks are removed. If nothing is left, return `nameless`.
    """
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFKC", name):
        category = unicodedata.category(character)
        marks = marks + 1 if category.startswith("M") else 0
        if character.isspace():
            kept.append(" ")
        elif marks <= MARKS_IN_A_ROW and not category.startswith("C"):
            kept.append(character)
    return " ".join("".join(kept).split())[:longest].strip() or nameless


class TablePersons:
    """The people of a table and their numbers, stored ones and new ones that are not stored yet."""

    def __init__(self, rows: Iterable[StoredHolder] = ()) -> None:
        self._rows: list[StoredHolder] = []
        self._numbers: dict[tuple[int, str, str], int] = {}
        self._first: dict[int, int] = {}
        for row in rows:
            self._add_holder(row)
        self._stored = len(self._rows)

    @property
    def new_holders(self) -> tuple[StoredHolder, ...]:
        """Return the people who are not stored yet."""
        return tuple(self._rows[self._stored :])

    def copy(self) -> TablePersons:
        """Return an independent copy, in which new people are still new."""
        copied = TablePersons(self._rows)
        copied._stored = self._stored
        return copied

    def as_stored(self) -> TablePersons:
        """Return an independent copy in which all people count as stored."""
        return TablePersons(self._rows)

    def number(self, person: int) -> int:
        """Return the number of the person's first entry, whatever its name; the person is added if unknown."""
        known = self._first.get(person)
        return self.number_of_person(person, "", "") if known is None else known

    def number_of_person(self, person: int, name: str, account: str) -> int:
        """Return the number of the person's entry with this name and account name, adding it if needed."""
        known = self._numbers.get((person, name, account))
        if known is not None:
            return known
        number = len(self._rows) + 1
        self._add_holder(StoredHolder(number, self._first.get(person, number), person, name, account))
        return number

    def holder(self, holder_number: object) -> StoredHolder:
        """Return the holder with that number. Raises `UndecodableData`."""
        if type(holder_number) is not int or not 0 < holder_number <= len(self._rows):
            raise UndecodableData("holder: a number that nobody has")
        return self._rows[holder_number - 1]

    def _add_holder(self, row: StoredHolder) -> None:
        self._rows.append(row)
        self._numbers.setdefault((row.person, row.name, row.account), row.number)
        self._first.setdefault(row.person, row.number)


@dataclass(frozen=True, slots=True)
class TableState:
    """The state of one table.

    `contributions` has one word (or None) for each seat, for the next deal's shuffle. `deadlines` are UTC milliseconds.
    `recent`, `sat` and `left` are its past (`bot.tables.state.snapshots.TableSnapshot`). `drawn` are, by seat, the
    cards that came to the hand since the deal, in order, including those that have left it again. `saved_as` is the
    guild's name for the rules with which the table was opened, `base` those rules if the table has changed them;
    `joined_rules` the rules when the first guest sat down, if they changed since. `proposal` is the open question to
    its people, `proposed` are the proposals made in this deal, `pauses` counts agreed pauses; `sought` are the seats
    for which substitutes are sought, `absence` is the rest about absent people. `undone` is the last turn, (deal,
    turn), whose end was taken back.

    `clocks` is None without a clock, `pause` is None while the game runs. `set_at` is when each deadline was set, and
    `stood` the pauses and the times without a channel that are over. `last_deal` means that no deal follows the current
    one. `known` is the fixed pack of the first deal, which needs no shuffle. `wishes` are persons who wait to be
    admitted, in the order of their arrival, `roll` is the roll call before the game, `missed` who did not answer the
    last one, `waiting` the open question to the people of a lobby. `place_lost` is since when the game's channel is
    gone. `hints` counts the hints by deal and seat. `contest` is its place in a tournament. The repr shows no card, so
    logs and tracebacks are safe.
    """

    status: Status
    rules: RuleSet
    host: Person
    seats: tuple[SeatHolder, ...]
    created_at: int
    contributions: tuple[str | None, ...]
    game: State | None = field(default=None, repr=False)
    shuffles: tuple[Shuffle, ...] = ()
    recent: tuple[RecentEvent, ...] = ()
    drawn: tuple[tuple[Card, ...], ...] = field(default=(), repr=False)
    deadlines: Mapping[Deadline, int] = field(default_factory=dict)
    set_at: Mapping[Deadline, int] = field(default_factory=dict)
    stood: Spans = ()
    closed_because: ClosingReason | None = None
    rematch: int | None = None
    saved_as: str = ""
    base: RuleSet | None = None
    joined_rules: RuleSet | None = None
    sat: tuple[SeatTenure, ...] = ()
    left: tuple[DealLeftovers, ...] = ()
    proposal: Proposal | None = None
    proposed: tuple[PastProposal, ...] = ()
    pauses: int = 0
    sought: tuple[SubstituteSearch, ...] = ()
    undone: tuple[int, int] | None = None
    settings: TableSettings = USUAL
    clocks: Clocks | None = None
    pause: Pause | None = None
    conclusion: Conclusion | None = None
    last_deal: bool = False
    known: PackFixed | None = None
    absence: Absence = NOTHING
    wishes: tuple[SeatHolder, ...] = ()
    roll: RollCall | None = None
    missed: MissedRoll | None = None
    waiting: WaitingQuestion | None = None
    place_lost: int | None = None
    hints: tuple[HintCount, ...] = ()
    contest: ContestTable | None = None

    @property
    def guests(self) -> tuple[int, ...]:
        """The seated people other than the host."""
        return tuple(person for person in self.persons if person != self.host)

    @property
    def persons(self) -> tuple[int, ...]:
        """The people seated, in seat order."""
        return tuple(holder.person for holder in self.seats if holder.person is not None)

    @property
    def actor(self) -> int | None:
        """The seat that must act, or None if no seat must."""
        return None if self.game is None or self.status is not Status.PLAYING else seat_to_act(self.game)

    @property
    def has_no_people(self) -> bool:
        """Whether all people have left the game, so that it waits for one of them.

        False for the last deal and for a tournament's match: both are played to the end anyway.
        """
        goes_on = self.last_deal or self.contest is not None
        return self.status is Status.PLAYING and not self.persons and not goes_on

    @property
    def is_halted(self) -> bool:
        """Whether the table is halted: it is paused, or its channel is gone."""
        return self.pause is not None or self.place_lost is not None

    @property
    def alarms(self) -> Mapping[Deadline, int]:
        """The deadlines that timers must watch.

        While the table is halted, these are only the ones that this does not postpone.
        """
        return {kind: due for kind, due in self.deadlines.items() if kind in MOVED_BY_OUTAGES or not self.is_halted}

    @property
    def is_sealed(self) -> bool:
        """Whether the play at this table is hidden from others for now."""
        return self.contest is not None and self.contest.sealed

    def seat_of(self, person: int) -> int | None:
        """Return the seat that the person holds."""
        return next((seat for seat, holder in enumerate(self.seats) if holder.person == person), None)

    def seat_kept_for(self, person: int) -> int | None:
        """Return the seat that a computer player keeps for that person."""
        return next((seat for seat, holder in enumerate(self.seats) if holder.kept_for == person), None)

    def empty_seat(self) -> int | None:
        """The first empty seat."""
        return next((seat for seat, holder in enumerate(self.seats) if holder.kind == "empty"), None)

    @property
    def is_undo_open(self) -> bool:
        """Whether an undo is proposed; no clock runs meanwhile."""
        return self.proposal is not None and self.proposal.kind is ProposalKind.UNDO

    @property
    def pending_shuffle(self) -> Shuffle | None:
        """The published commitment to the seed of the next deal."""
        return next((shuffle for shuffle in self.shuffles if shuffle.contributions is None), None)

    def shuffle(self, deal: int) -> Shuffle:
        """Return the published data of that deal's shuffle."""
        return next(shuffle for shuffle in self.shuffles if shuffle.deal == deal)


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its record with number, location and version.

    `holders` are its people as stored.

    `waits_since` is when the turn or question came to the seat that is to act, None while none is.
    """

    id: int
    version: int
    guild: int
    channel: int
    thread: int | None
    updated_at: int
    record: TableState = field(repr=False)
    holders: TablePersons = field(default_factory=TablePersons, repr=False, compare=False)
    waits_since: int | None = None
