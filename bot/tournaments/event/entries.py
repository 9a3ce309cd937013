"""Persons and entries of a tournament, as values.

A person is stored as a number (`bot.tournaments.core.forms`), so every field for persons has the type `Person`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

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
class Entrant:
    """An entry: its persons and its state.

    `agreed` are the persons who accepted, `here` those who checked in. `shares` are the ids of their check-in
    requests, their part of the shuffle of boards. `rank` is its place in the start order, 0 before there is one.
    `sits_out` are rounds that it announced to skip, `asked_until` the deadline for partners' answers. `from_round`
    is later than 1 for late entries. `substituted` counts the matches in which a substitute played. `captain` is
    the person who entered it.
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
        """Whether it takes part in future rounds."""
        return self.stage is EntryStage.PLAYING
