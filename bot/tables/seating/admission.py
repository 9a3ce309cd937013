"""Admission: who may join a table, as chosen by its host.

A host admits everyone, or everyone not blocked, or decides each time. In the last case a person who wants to join waits
at the table until the host admits them. Players already seated stay, whatever the host chooses later.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Protocol

from bot.tables.seating.seats import holder_of_caller, require_host, require_lobby
from bot.tables.state.events import AnyEvent, JoinRequested, JoinWithdrawn, SeatChanged
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import Caller, SeatHolder
from bot.tables.state.table import Table

MOST_WISHES: Final = 4
"""Number of people who may wait at a table to be admitted."""


class HostDecision(StrEnum):
    """The host's decision about a person: admit at once, decide later, or never admit."""

    OPEN = "open"
    ASKS = "asks"  # the host decides about this person
    SHUT = "shut"


class Admission(Protocol):
    """Lookup of whom hosts admit to their tables, and of who has blocked whom."""

    async def decision_about(self, host: int, person: int) -> HostDecision:
        """Return whether that person may join a table of that host."""

    async def is_host_always_asked(self, host: int) -> bool:
        """Return whether the host decides about everyone who wants to join."""

    async def actively_blocked_people(self, person: int) -> frozenset[int]:
        """Return the people whom the person has blocked; none if the person has chosen to play with everyone."""

    async def active_blockers_of(self, person: int) -> frozenset[int]:
        """Return the people who have blocked the person, without those who have chosen to play with everyone."""


class OpenAdmission:
    """An `Admission` by which every table is open to everyone."""

    async def decision_about(self, host: int, person: int) -> HostDecision:  # noqa: ARG002 - the same for everyone
        return HostDecision.OPEN

    async def is_host_always_asked(self, host: int) -> bool:  # noqa: ARG002
        return False

    async def actively_blocked_people(self, person: int) -> frozenset[int]:  # noqa: ARG002
        return frozenset()

    async def active_blockers_of(self, person: int) -> frozenset[int]:  # noqa: ARG002
        return frozenset()


EVERYBODY: Final = OpenAdmission()


def ask_to_join(table: Table, caller: Caller) -> tuple[AnyEvent, ...]:
    """Add the caller to the people who wait to be admitted. Refusals: already_wished, too_many_wishes."""
    wishes = table.record.wishes
    if any(one.person == caller.person for one in wishes):
        raise TableRefusal(TableCode.ALREADY_WISHED, {"table": table.id})
    if len(wishes) >= MOST_WISHES:
        raise TableRefusal(TableCode.TOO_MANY_WISHES, {"table": table.id, "most": MOST_WISHES})
    return (JoinRequested(holder_of_caller(caller)),)


def admit_person(table: Table, caller: Caller, person: int) -> tuple[AnyEvent, ...]:
    """Give a waiting person the first free seat.

    Refusals: not_host, no_wish, table_full, and as `require_lobby`.
    """
    require_lobby(table)
    require_host(table, caller)
    holder = find_waiting_person(table, person)
    seat = table.record.empty_seat()
    if seat is None:
        raise TableRefusal(TableCode.TABLE_FULL, {"table": table.id, "players": len(table.record.seats)})
    return (SeatChanged(seat, holder),)


def reject_waiting(table: Table, caller: Caller) -> tuple[AnyEvent, ...]:
    """Reject all people who wait to be admitted now. Refusals: not_host, and as `require_lobby`."""
    require_lobby(table)
    require_host(table, caller)
    return tuple(JoinWithdrawn(one.person) for one in table.record.wishes if one.person is not None)


def find_waiting_person(table: Table, person: int) -> SeatHolder:
    """Return the person with that id from those who wait to be admitted. Refusal: no_wish."""
    for one in table.record.wishes:
        if one.person == person:
            return one
    raise TableRefusal(TableCode.NO_WISH, {"table": table.id})
