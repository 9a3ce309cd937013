"""How persons are written: by the numbers that they have among the holders of the table that is written or read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from bot.store.errors import Undecodable
from bot.store.forms import Field
from bot.tables.holders import TablePersons
from bot.tables.looks import EMPTY_SEAT, SeatHolder

_HOLDERS: Final[ContextVar[TablePersons]] = ContextVar("holders of the table that is written or read")


@contextmanager
def numbered_by(holders: TablePersons) -> Iterator[None]:
    """Let numbers be those of these holders; persons they do not know are noted there when written."""
    token = _HOLDERS.set(holders)
    try:
        yield
    finally:
        _HOLDERS.reset(token)


PERSON: Final = Field(
    lambda person: _HOLDERS.get().number(person),
    lambda number: _HOLDERS.get().holder(number).person,
)
"""A person, whatever it is called."""


def _write(holder: SeatHolder) -> dict[str, Any]:
    person, name = (holder.person, holder.name) if holder.kept_for is None else (holder.kept_for, holder.kept_name)
    number = None if person is None else _HOLDERS.get().named(person, name, holder.account)
    return {"kind": holder.kind, "number": holder.number, "holder": number}


def _read(data: object) -> SeatHolder:
    match data:
        case {"kind": "empty", "number": 0, "holder": None}:
            return EMPTY_SEAT
        case {"kind": "person", "number": 0, "holder": int(number)}:
            one = _HOLDERS.get().holder(number)
            return SeatHolder("person", one.person, one.name, account=one.account)
        case {"kind": "computer", "number": int(computer), "holder": None}:
            return SeatHolder("computer", number=computer)
        case {"kind": "computer", "number": int(computer), "holder": int(number)}:
            one = _HOLDERS.get().holder(number)
            return SeatHolder("computer", None, "", computer, one.person, one.name, one.account)
    raise Undecodable("holder: wrong value")


HOLDER: Final = Field(_write, _read)
"""Who sits in a seat: its person, or the one for whom a computer player keeps it, under the name of that time."""
