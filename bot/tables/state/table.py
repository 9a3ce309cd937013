"""The record: the whole of one table, from its lobby to its end, hidden cards included.

A record is a value, the fold of its table's log (`bot.tables.state.fold`).

Clean names: what people call themselves, made fit to stand in a line among others.

Holders: the persons of one table by number, which stands in their place in all that is stored of the table.

A person has a number for each way it was called at the table; equal persons, names and accounts have equal numbers.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from bot.engine.cards.cards import Card
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.state import State, actor
from bot.store.errors import Undecodable
from bot.store.tables import StoredHolder
from bot.tables.state.absence import NOTHING, Absence
from bot.tables.state.clocks import USUAL, Clocks, Conclusion, Pause, TableSettings
from bot.tables.state.contest import ContestTable
from bot.tables.state.events import Deadline, PackFixed
from bot.tables.state.persons import Person
from bot.tables.state.proposals import PastProposal, Proposal, ProposalKind, SubstituteSearch
from bot.tables.state.snapshots import (
    ClosedBecause,
    DealLeftovers,
    RecentEvent,
    RollCall,
    SeatHolder,
    SeatTenure,
    Shuffle,
    Status,
)

LONGEST: Final = 32
MARKS_IN_A_ROW: Final = 2
NAMELESS: Final = "?"


@lru_cache(maxsize=1024)
def clean_name(name: str, *, nameless: str = NAMELESS, longest: int = LONGEST) -> str:
    """The name in composed form, on one line, at most so many characters; no invisible, reordering or piled-up marks.

    `nameless` stands for a name of which nothing is left.
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
    """What the store keeps of a table's persons, and those for whom numbers are wanted since."""

    def __init__(self, rows: Iterable[StoredHolder] = ()) -> None:
        self._rows: list[StoredHolder] = []
        self._numbers: dict[tuple[int, str, str], int] = {}
        self._first: dict[int, int] = {}
        for row in rows:
            self._add(row)
        self._stored = len(self._rows)

    @property
    def new(self) -> tuple[StoredHolder, ...]:
        """The holders that are not stored yet."""
        return tuple(self._rows[self._stored :])

    def copy(self) -> TablePersons:
        """Holders of their own; what is new stays new."""
        copied = TablePersons(self._rows)
        copied._stored = self._stored
        return copied

    def stored(self) -> TablePersons:
        """Holders of their own, none of them new."""
        return TablePersons(self._rows)

    def number(self, person: int) -> int:
        """A number for that person, whatever it is called."""
        known = self._first.get(person)
        return self.named(person, "", "") if known is None else known

    def named(self, person: int, name: str, account: str) -> int:
        """The number for that person as it is called so."""
        known = self._numbers.get((person, name, account))
        if known is not None:
            return known
        number = len(self._rows) + 1
        self._add(StoredHolder(number, self._first.get(person, number), person, name, account))
        return number

    def holder(self, number: object) -> StoredHolder:
        """Who has that number. Raises `Undecodable`."""
        if type(number) is not int or not 0 < number <= len(self._rows):
            raise Undecodable("holder: a number that nobody has")
        return self._rows[number - 1]

    def _add(self, row: StoredHolder) -> None:
        self._rows.append(row)
        self._numbers.setdefault((row.person, row.name, row.account), row.number)
        self._first.setdefault(row.person, row.number)


@dataclass(frozen=True, slots=True)
class TableState:
    """One table.

    `contributions` has one word (or None) a seat, for the next deal's shuffle. `deadlines` are UTC milliseconds.
    `recent`, `sat` and `left` are its past (`bot.tables.state.snapshots.TableSnapshot`).
    `drawn` are, by seat, the cards that came to the hand after this deal's dealing, in the order they came, those that
    have left it again included. `saved_as` is the server's own name for the rules it was opened with, `base` those
    rules where the table has changed them; `joined_rules` what it was to play when the first of those came who sit
    with the host, where that has changed since. `proposal` is the question that its persons are asked, `proposed`
    what they have asked in this deal, `pauses` how often all have agreed to one; `sought` are the seats for which
    substitutes are sought, `absence` is all else that is known of absent persons. `undone` is the last turn,
    (deal, turn), whose end was taken back.
    `clocks` is None where nobody's time is counted, `pause` where the game goes on. `last_deal` tells that no deal
    follows the one in play.
    `known` is the pack of its first deal where that has the cards of another, which needs no shuffle. `wishes` are the
    persons who wait at a lobby to be let in, first come first, `roll` are those who are asked before its game begins.
    `place_lost` is since when the channel of a game is gone. `contest` is its place in a tournament.
    Its description in a log or a traceback shows no card.
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
    closed_because: ClosedBecause | None = None
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
    place_lost: int | None = None
    contest: ContestTable | None = None

    @property
    def guests(self) -> tuple[int, ...]:
        """The persons seated beside the host."""
        return tuple(person for person in self.persons if person != self.host)

    @property
    def persons(self) -> tuple[int, ...]:
        """The persons seated, in seat order."""
        return tuple(holder.person for holder in self.seats if holder.person is not None)

    @property
    def actor(self) -> int | None:
        """The seat that is to act, or None when none is."""
        return None if self.game is None or self.status is not Status.PLAYING else actor(self.game)

    @property
    def sleeps(self) -> bool:
        """Whether a game rests because all persons have left it.

        Its last deal is played to the end all the same, and so is a match of a tournament.
        """
        goes_on = self.last_deal or self.contest is not None
        return self.status is Status.PLAYING and not self.persons and not goes_on

    @property
    def sealed(self) -> bool:
        """Whether what was played here is shown to nobody else for now."""
        return self.contest is not None and self.contest.sealed

    def seat_of(self, person: int) -> int | None:
        """The seat that person holds."""
        return next((seat for seat, holder in enumerate(self.seats) if holder.person == person), None)

    def seat_kept_for(self, person: int) -> int | None:
        """The seat a computer player holds for that person."""
        return next((seat for seat, holder in enumerate(self.seats) if holder.kept_for == person), None)

    def empty_seat(self) -> int | None:
        """The first seat that nobody holds."""
        return next((seat for seat, holder in enumerate(self.seats) if holder.kind == "empty"), None)

    @property
    def undo_open(self) -> bool:
        """Whether all are asked to let somebody take a move back; nobody's clock runs meanwhile."""
        return self.proposal is not None and self.proposal.kind is ProposalKind.UNDO

    @property
    def pending_shuffle(self) -> Shuffle | None:
        """The commitment to the seed of the next deal."""
        return next((shuffle for shuffle in self.shuffles if shuffle.contributions is None), None)

    def shuffle(self, deal: int) -> Shuffle:
        """What is published of that deal's shuffle."""
        return next(shuffle for shuffle in self.shuffles if shuffle.deal == deal)


@dataclass(frozen=True, slots=True)
class Table:
    """A record with its number, its place and its version; `holders` are the persons it is stored with."""

    id: int
    version: int
    guild: int
    channel: int
    thread: int | None
    updated_at: int
    record: TableState = field(repr=False)
    holders: TablePersons = field(default_factory=TablePersons, repr=False, compare=False)
