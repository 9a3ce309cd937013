"""Admission: who may sit down at a table, as its host has chosen.

A host has everybody, or everybody but those blocked, or is asked first; then whoever would like to join waits at the
table until the host lets them in. Whoever sits already stays, whatever the host chooses later.

Pure but for `Admission`, which knows what hosts have chosen: each function says what happens as events, or refuses.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Protocol

from bot.tables.seating.seats import person_holder, require_host, require_lobby
from bot.tables.state.events import AnyEvent, JoinRequested, JoinWithdrawn, SeatChanged
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import Caller, SeatHolder
from bot.tables.state.table import Table

MOST_WISHES: Final = 4
"""Persons who may wait at a table to be let in."""


class Admitted(StrEnum):
    """What a host's choice means for a person."""

    OPEN = "open"
    ASKS = "asks"  # the host is asked first
    SHUT = "shut"


class Admission(Protocol):
    """What hosts have chosen."""

    async def admitted(self, host: int, person: int) -> Admitted:
        """Whether that person may sit down at a table of that host."""


class Everybody:
    """Every table is open to everybody."""

    async def admitted(self, host: int, person: int) -> Admitted:  # noqa: ARG002 - nothing depends on it
        return Admitted.OPEN


EVERYBODY: Final = Everybody()


def wish(table: Table, caller: Caller) -> tuple[AnyEvent, ...]:
    """Wait to be let in. Refusals: already_wished, too_many_wishes."""
    wishes = table.record.wishes
    if any(one.person == caller.person for one in wishes):
        raise TableRefusal(TableCode.ALREADY_WISHED, {"table": table.id})
    if len(wishes) >= MOST_WISHES:
        raise TableRefusal(TableCode.TOO_MANY_WISHES, {"table": table.id, "most": MOST_WISHES})
    return (JoinRequested(person_holder(caller)),)


def let_in(table: Table, caller: Caller, person: int) -> tuple[AnyEvent, ...]:
    """Give a person who waits the first free seat. Refusals: not_host, no_wish, table_full, and of what is no lobby."""
    require_lobby(table)
    require_host(table, caller)
    holder = waiting(table, person)
    seat = table.record.empty_seat()
    if seat is None:
        raise TableRefusal(TableCode.TABLE_FULL, {"table": table.id, "players": len(table.record.seats)})
    return (SeatChanged(seat, holder),)


def turn_away(table: Table, caller: Caller) -> tuple[AnyEvent, ...]:
    """Let nobody in who waits now. Refusals: not_host, and of what is no lobby."""
    require_lobby(table)
    require_host(table, caller)
    return tuple(JoinWithdrawn(one.person) for one in table.record.wishes if one.person is not None)


def waiting(table: Table, person: int) -> SeatHolder:
    """Somebody who waits to be let in. Refusal: no_wish."""
    for one in table.record.wishes:
        if one.person == person:
            return one
    raise TableRefusal(TableCode.NO_WISH, {"table": table.id})
