"""Persons and entries of a tournament, as values.

A person is stored as a number (`bot.tournaments.core.stored_forms`), so every field for persons has the type `Person`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from bot.tournaments.counted_results import FROM_THE_START, Span

Person = NewType("Person", int)
"""A Discord account; negative once it was forgotten on request."""


class EntryStage(StrEnum):
    """Stages of an entry; the value is its stable name."""

    ASKED = "asked"  # a partner has not accepted yet
    ENTERED = "entered"
    WAITING = "waiting"  # in order of entry, until a place is free
    HERE = "here"  # all its persons have checked in
    PLAYING = "playing"
    LEFT = "left"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedRegular:
    """A person who was asked to be a regular of an entry and may answer `until` that instant."""

    person: Person
    until: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """An entry: its persons and its state.

    `agreed` are the persons who accepted, `here` those who checked in. `shares` are the ids of their check-in requests,
    which are mixed into the shuffle of boards. `rank` is its start number, 0 before it has one. `sits_out` are rounds
    that it announced to skip, `asked_until` the deadline for partners' answers. `spans` are the rounds in which it
    takes part, once it has a start number. `substituted` counts the matches in which a substitute played. `captain` is
    the person who entered it. `regulars` also play for it and are in no other entry; `asked` were asked to be regulars
    and have not answered, `former` are former regulars who played for it. `lineup` are the members who play its
    matches, by seat; if empty, its persons do.
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
    spans: tuple[Span, ...] = FROM_THE_START
    sits_out: tuple[int, ...] = ()
    annulled: bool = False
    substituted: int = 0
    regulars: tuple[Person, ...] = ()
    asked: tuple[AskedRegular, ...] = ()
    former: tuple[Person, ...] = ()
    lineup: tuple[Person, ...] = ()

    @property
    def members(self) -> tuple[Person, ...]:
        """The persons and the regulars of the entry."""
        return (*self.people, *self.regulars)

    @property
    def present_and_former_members(self) -> tuple[Person, ...]:
        """The entry's members and former regulars; none of them may be in another entry."""
        return (*self.members, *self.former)

    @property
    def players(self) -> tuple[Person, ...]:
        """The members who play the entry's matches, by seat."""
        return self.lineup or self.people

    @property
    def is_active(self) -> bool:
        """Whether the entry takes part in future rounds."""
        return self.stage is EntryStage.PLAYING

    @property
    def has_left(self) -> bool:
        """Whether the entry left or was removed."""
        return self.stage in (EntryStage.LEFT, EntryStage.REMOVED)

    @property
    def from_round(self) -> int:
        """The first round that the entry entered for; later than 1 for late entries."""
        return self.spans[0].first

    def spans_ending_with_round(self, last: int) -> tuple[Span, ...]:
        """Return the entry's spans if it leaves after the round `last`."""
        *before, open_ = self.spans
        if before and open_.first > last:
            return tuple(before)
        return (*before, Span(open_.first, last))

    def spans_if_resumed(self, first: int) -> tuple[Span, ...]:
        """Return the entry's spans if it plays again from round `first`; missed rounds stay missed."""
        *before, closed = self.spans
        if closed.last is None:
            return self.spans
        return (*before, Span(closed.first)) if closed.last + 1 >= first else (*self.spans, Span(first))
