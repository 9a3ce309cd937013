"""Closing tables: the lobby by its host, a running game with the consent of all persons seated.

Pure, like `bot.tables.lobby`. Anybody seated may ask whether to close a running game. All have to agree; one who would
go on playing ends the question, and so does the asker by leaving. A move answers nothing. A person alone at a table
agrees with nobody else. A moderator of the server closes a lobby at once, a game once nothing has happened there for
`silence` milliseconds. Whatever was played brings no result.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.tables.events import AnyEvent, CloseAnswered, CloseAsked
from bot.tables.lobby import closing, require_host, require_open, require_playing, require_seat
from bot.tables.looks import Caller, ClosedBecause, Status
from bot.tables.record import Record, Table, fold
from bot.tables.refusals import TableCode, TableRefusal


def close(table: Table, caller: Caller, *, moderator: bool, now: int, silence: int) -> tuple[AnyEvent, ...]:
    """Close a lobby; close a running game, or ask the persons seated whether to."""
    require_open(table)
    if table.record.status is Status.LOBBY:
        if not moderator:
            require_host(table, caller)
        return closing(table.record, ClosedBecause.ASKED)
    may_from = table.updated_at + silence
    if moderator and now >= may_from:
        return closing(table.record, ClosedBecause.ASKED)
    if moderator and table.record.seat_of(caller.person) is None:
        raise TableRefusal(TableCode.NOT_SILENT, {"table": table.id, "from": may_from})
    require_seat(table, caller.person)
    if table.record.close_vote is not None:
        return _agreed(table, caller)
    return settled(table.record, (CloseAsked(caller.person, now),))


def answer(table: Table, caller: Caller, *, agrees: bool, asked_at: int | None) -> tuple[AnyEvent, ...]:
    """Say whether one agrees that the game is closed; `asked_at` tells which question is answered."""
    require_playing(table)
    require_seat(table, caller.person)
    vote = table.record.close_vote
    if vote is None or asked_at not in (None, vote.at):
        detail = {"table": table.id, "expected": table.version, "version": table.version}
        raise TableRefusal(TableCode.STALE_REQUEST, detail)
    return _agreed(table, caller) if agrees else (CloseAnswered(caller.person, agrees=False),)


def _agreed(table: Table, caller: Caller) -> tuple[AnyEvent, ...]:
    vote = table.record.close_vote
    if vote is not None and caller.person in vote.agreed:
        raise TableRefusal(TableCode.ALREADY_AGREED, {"table": table.id})
    return settled(table.record, (CloseAnswered(caller.person, agrees=True),))


def settled(record: Record, events: Iterable[AnyEvent]) -> tuple[AnyEvent, ...]:
    """The events and, where everybody who is seated after them has agreed, the end of the table."""
    before = tuple(events)
    after = fold(record, before)
    vote = after.close_vote
    if vote is None or not set(after.persons) <= set(vote.agreed):
        return before
    return (*before, *closing(after, ClosedBecause.AGREED))
