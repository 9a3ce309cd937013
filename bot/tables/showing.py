"""Building looks from the record: the one door through which anything leaves a table."""

from __future__ import annotations

from bot.engine.viewing import public_view, seat_view
from bot.tables.events import Deadline
from bot.tables.lobby import require_seat
from bot.tables.looks import SeatLook, TableLook
from bot.tables.record import Table


def table_look(table: Table) -> TableLook:
    """What anybody may see."""
    record = table.record
    return TableLook(
        id=table.id,
        version=table.version,
        status=record.status,
        guild=table.guild,
        channel=table.channel,
        thread=table.thread,
        rules=record.rules.name,
        players=record.rules.players,
        target=record.rules.target,
        host=record.host,
        seats=record.seats,
        view=None if record.game is None else public_view(record.game),
        recent=record.recent,
        shuffle=record.shuffles,
        created_at=record.created_at,
        updated_at=table.updated_at,
        expires_at=record.deadlines.get(Deadline.EXPIRE),
        next_deal_at=record.deadlines.get(Deadline.NEXT_DEAL),
        closed_because=record.closed_because,
        rematch=record.rematch,
        terms=record.rules,
        base=record.base or record.rules,
        joined_terms=record.joined_rules or record.rules,
        saved_as=record.saved_as,
        sat=record.sat,
        left=record.left,
    )


def seat_look(table: Table, seat: int) -> SeatLook:
    """What whoever holds that seat may see."""
    game, drawn = table.record.game, table.record.drawn
    view = None if game is None else seat_view(game, seat)
    return SeatLook(table_look(table), seat, view, drawn[seat] if drawn else ())


def person_look(table: Table, person: int) -> SeatLook:
    """What that person may see from the own seat; refusal: not_seated."""
    return seat_look(table, require_seat(table, person))
