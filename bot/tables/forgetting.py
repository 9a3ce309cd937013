"""Forgetting a person: what becomes of the seats it holds, and of those that computer players keep for it. Pure."""

from __future__ import annotations

from dataclasses import replace

from bot.tables import lobby
from bot.tables.events import AnyEvent, SeatChanged
from bot.tables.looks import Caller, SeatHolder
from bot.tables.record import Table


def given_up(table: Table, person: int, *, expires_at: int) -> tuple[AnyEvent, ...]:
    """An open table without that person: as when it leaves, but a computer player keeps the seat for nobody."""
    record = table.record
    if record.seat_of(person) is None:
        kept = record.seat_kept_for(person)
        return () if kept is None else (SeatChanged(kept, _unclaimed(record.seats[kept])),)
    left = lobby.leave(table, Caller(person, "", table.guild, 0), expires_at=expires_at)
    freed = [replace(one, holder=_unclaimed(one.holder)) if isinstance(one, SeatChanged) else one for one in left]
    return tuple(freed)


def _unclaimed(holder: SeatHolder) -> SeatHolder:
    return SeatHolder("computer", number=holder.number) if holder.kind == "computer" else holder
