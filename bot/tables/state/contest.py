"""What a table of a tournament knows of it.

What happens at a table because it belongs to a tournament.

What the events of a tournament make of a table's place in it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias, get_args

if TYPE_CHECKING:
    from bot.tables.state.snapshots import SeatHolder
    from bot.tables.state.table import TableState


@dataclass(frozen=True, slots=True)
class ContestBoard:
    """A deal that is played at several tables: its number, the initial meld of every side, and the seat that deals."""

    number: int
    minimum: int
    dealer: int


@dataclass(frozen=True, slots=True)
class PendingSubstitute:
    """Who is to have a seat from the next deal on."""

    seat: int
    holder: SeatHolder


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestTable:
    """A table's place in its tournament, and what holds there beside rules and settings.

    `number` tells the tables of one match apart, from 1. How many deals are played stands in the table's settings, the
    target in its rules. With `computers` a computer player goes on to the end of the deal for whoever has used up the
    time; without, the side forfeits. What was played at a `sealed` table is shown to nobody else until the tournament
    opens it. `substitutes` sit down with the next deal. `came` are the seats in which somebody has done anything here:
    for the others the tournament waits, and not their clocks.
    """

    tournament: int
    match: int
    number: int = 1
    computers: bool = False
    live: bool = True
    board: ContestBoard | None = None
    sealed: bool = False
    substitutes: tuple[PendingSubstitute, ...] = ()
    came: tuple[int, ...] = ()

    @property
    def key(self) -> tuple[int, int]:
        """The numbers of the tournament and of the match."""
        return self.tournament, self.match


@dataclass(frozen=True, slots=True)
class Director:
    """Who stepped in at a table of a tournament, and why; what follows by itself from its rules is nobody's doing."""

    person: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ContestOpened:
    """The table belongs to a tournament."""

    contest: ContestTable


@dataclass(frozen=True, slots=True)
class SubstituteNamed:
    """That person, or computer player, has the seat from the next deal on."""

    seat: int
    holder: SeatHolder


@dataclass(frozen=True, slots=True)
class PlayerArrived:
    """Who sits there has done something at the table for the first time."""

    seat: int


@dataclass(frozen=True, slots=True)
class ContestUnsealed:
    """What was played at the table may be looked at."""


ContestEvent: TypeAlias = ContestOpened | SubstituteNamed | PlayerArrived | ContestUnsealed


def evolve(contest: ContestTable | None, event: ContestEvent) -> ContestTable:
    """The place after one event; the first one is a `ContestOpened`."""
    if isinstance(event, ContestOpened):
        return event.contest
    if contest is None:
        raise ValueError(f"{type(event).__name__} at a table of no tournament")
    if isinstance(event, SubstituteNamed):
        return replace(
            contest, substitutes=(*_others(contest, event.seat), PendingSubstitute(event.seat, event.holder))
        )
    if isinstance(event, PlayerArrived):
        return replace(contest, came=(*contest.came, event.seat))
    return replace(contest, sealed=False)


def seated(contest: ContestTable | None, seat: int) -> ContestTable | None:
    """The place once somebody else has that seat: whoever was to come to it waits no more."""
    if contest is None or not contest.substitutes:
        return contest
    return replace(contest, substitutes=_others(contest, seat))


def _others(contest: ContestTable, seat: int) -> tuple[PendingSubstitute, ...]:
    return tuple(one for one in contest.substitutes if one.seat != seat)


def _contest_folded(record: TableState, event: ContestEvent) -> TableState:
    return replace(record, contest=evolve(record.contest, event))


FOLDS: Final[Mapping[type[ContestEvent], Callable[[TableState, Any], TableState]]] = dict.fromkeys(
    get_args(ContestEvent), _contest_folded
)
