"""Who takes part in a tournament: persons and their entries, as values.

A person is stored by a number (`bot.tournaments.core.forms`), so every field that holds one says so by its type.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

Person = NewType("Person", int)
"""A Discord account, below zero once it was forgotten on demand."""


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
