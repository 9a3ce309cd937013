"""Roll calls: before a slow game starts, players who joined long ago must confirm. Pure.

Source: `docs/long-games.md`, 2. After a roll call the lobby stays open for a day, in which its host decides about a
free seat.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.clocks.time_rules import DAY
from bot.tables.seating import seats
from bot.tables.state.events import (
    AnyEvent,
    Deadline,
    DeadlineSet,
    LobbyKept,
    PresenceConfirmed,
    RollCallEnded,
    RollCallOpened,
)
from bot.tables.state.fold import apply_table_events
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import Caller, Status
from bot.tables.state.table import Table, TableState

LONG_AGO: Final = DAY
"""Time without an action at the table after which a player must confirm, in milliseconds."""

OPEN_FOR: Final = DAY
"""Time to answer before the seat is freed, in milliseconds."""

DECIDED_WITHIN: Final = DAY
"""Time for the host to decide about a freed seat after the roll call, before the lobby closes, in milliseconds."""

KEPT_FOR: Final = 7 * DAY
"""How long *Wait* keeps the lobby open, in milliseconds."""


def call_roll(
    table: Table, caller: Caller, last_seen: Mapping[int, int], *, fill: bool, now: int
) -> tuple[AnyEvent, ...]:
    """Ask the players who joined a slow table long ago to confirm; no events if nobody did.

    `last_seen` is when each person last acted at the table (UTC milliseconds); with `fill` computer players take the
    empty seats when the game starts. Refusal: roll_called if the roll call is open already.
    """
    record = table.record
    if not record.settings.is_slow:
        return ()
    if record.roll is not None:
        raise TableRefusal(TableCode.ROLL_CALLED, {"table": table.id, "from": record.roll.at + OPEN_FOR})
    absent = tuple(
        seat
        for seat, holder in enumerate(record.seats)
        if holder.person not in (None, caller.person) and now - last_seen.get(holder.person or 0, now) >= LONG_AGO
    )
    if not absent:
        return ()
    closes_at = max(record.deadlines.get(Deadline.EXPIRE, 0), now + OPEN_FOR + DECIDED_WITHIN)
    return (
        RollCallOpened(now, absent, fill),
        DeadlineSet(Deadline.ROLL_CALL, now + OPEN_FOR),
        DeadlineSet(Deadline.EXPIRE, closes_at),
    )


def confirm_presence(table: Table, caller: Caller) -> tuple[AnyEvent, ...]:
    """Record that the caller will play; the last confirmation starts the game.

    Refusals: not_seated, not_called, and those of `bot.tables.seating.seats.require_lobby`.
    """
    seats.require_lobby(table)
    seat, roll = seats.require_seat(table, caller.person), table.record.roll
    if roll is None or seat not in roll.seats:
        raise TableRefusal(TableCode.NOT_CALLED, {"table": table.id})
    said = (PresenceConfirmed(seat),)
    after = apply_table_events(table.record, said)
    if after.roll is not None or (after.empty_seat() is not None and not roll.fill):
        return said
    return (*said, DeadlineSet(Deadline.ROLL_CALL, None), *seats.begin_game(after))


def end_roll_call(record: TableState, *, now: int) -> tuple[AnyEvent, ...]:
    """End the roll call: free the seats that did not answer; close the table if no person is left."""
    silent = () if record.roll is None else record.roll.seats
    ended = RollCallEnded(now, tuple(record.seats[seat] for seat in silent))
    events: tuple[AnyEvent, ...] = (DeadlineSet(Deadline.ROLL_CALL, None), ended)
    for seat in silent:
        after = apply_table_events(record, events)
        if after.status is Status.LOBBY:
            events += seats.vacate_seat(after, seat, expires_at=0)
    open_still = apply_table_events(record, events).status is Status.LOBBY
    return (*events, *([DeadlineSet(Deadline.EXPIRE, now + DECIDED_WITHIN)] if open_still else []))


def keep_lobby(table: Table, caller: Caller, *, asked_at: int, now: int) -> tuple[AnyEvent, ...]:
    """Keep the lobby open although players missed the roll call that ended at `asked_at`.

    Refusals: as `LobbyService.keep_lobby`.
    """
    seats.require_lobby(table)
    seats.require_host(table, caller)
    missed = table.record.missed
    if missed is None or missed.waits or missed.at != asked_at:
        detail = {"table": table.id, "expected": table.version, "version": table.version}
        raise TableRefusal(TableCode.STALE_REQUEST, detail)
    return (LobbyKept(), DeadlineSet(Deadline.EXPIRE, now + KEPT_FOR))
