"""Who sits where in a lobby, as its host arranges it. Pure, like `bot.tables.lobby`."""

from __future__ import annotations

from bot.tables.events import AnyEvent, Contributed, SeatChanged
from bot.tables.lobby import free_numbers, require_existing_seat, require_host, require_lobby
from bot.tables.looks import EMPTY_SEAT, Caller, SeatHolder
from bot.tables.record import Table, TableState
from bot.tables.refusals import TableCode, TableRefusal


def place(table: Table, caller: Caller, seat: int, to: int) -> tuple[AnyEvent, ...]:
    """Let whoever holds a seat change with another seat, held or free; shares in the coming shuffle move along."""
    require_lobby(table)
    require_host(table, caller)
    require_existing_seat(table, seat)
    require_existing_seat(table, to)
    record = table.record
    if record.seats[seat].kind == "empty":
        raise TableRefusal(TableCode.SEAT_EMPTY, {"seat": seat})
    if seat == to:
        return ()
    # A guest first: with the host in both seats for a moment, no guest would be left to whom changed rules are news.
    both = sorted(((seat, to), (to, seat)), key=lambda move: not _is_guest(record, record.seats[move[0]]))
    changed = [SeatChanged(there, record.seats[here]) for here, there in both]
    words = ((there, record.contributions[here]) for here, there in both)
    return (*changed, *(Contributed(there, word) for there, word in words if word is not None))


def set_computers(table: Table, caller: Caller, count: int) -> tuple[AnyEvent, ...]:
    """Have so many computer players: more come to the first free seats, the last ones go."""
    require_lobby(table)
    require_host(table, caller)
    record = table.record
    highest = len(record.seats) - len(record.persons)
    if not 0 <= count <= highest:
        raise TableRefusal(TableCode.COMPUTERS_OUT_OF_RANGE, {"computers": count, "lowest": 0, "highest": highest})
    held = [seat for seat, holder in enumerate(record.seats) if holder.kind == "computer"]
    free = [seat for seat, holder in enumerate(record.seats) if holder.kind == "empty"]
    gone = (SeatChanged(seat, EMPTY_SEAT) for seat in held[count:])
    come = zip(free[: max(0, count - len(held))], free_numbers(record), strict=False)
    return (*gone, *(SeatChanged(seat, SeatHolder("computer", number=number)) for seat, number in come))


def _is_guest(record: TableState, holder: SeatHolder) -> bool:
    return holder.person is not None and holder.person != record.host
