"""Building looks from the record: the one door through which anything leaves a table."""

from __future__ import annotations

from bot.engine.play.viewing import public_view, seat_view
from bot.engine.table.views import PublicView, SeatView
from bot.tables.advice import NOTHING, Offers
from bot.tables.events import Deadline
from bot.tables.looks import SeatSnapshot, TableSnapshot
from bot.tables.premoves.values import Premove
from bot.tables.record import Table


def table_look(table: Table, view: PublicView | None = None) -> TableSnapshot:
    """What anybody may see; `view` is that of the game as it stands, where it is at hand."""
    record = table.record
    if view is None and record.game is not None:
        view = public_view(record.game)
    return TableSnapshot(
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
        view=view,
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
        proposal=record.proposal,
        proposal_until=record.deadlines.get(Deadline.PROPOSAL),
        settings=record.settings,
        clocks=record.clocks,
        pause=record.pause,
        conclusion=record.conclusion,
        cards_of=None if record.known is None else record.known.of,
        absence=record.absence,
        vote_until=record.deadlines.get(Deadline.VOTE),
        sought=record.sought,
        sought_until=record.deadlines.get(Deadline.SUBSTITUTE),
        last_deal=record.last_deal,
        wishes=record.wishes,
        roll=record.roll,
        place_lost=record.place_lost,
        contest=record.contest,
    )


def seat_look(
    table: Table,
    seat: int,
    *,
    look: TableSnapshot | None = None,
    own: SeatView | None = None,
    offers: Offers = NOTHING,
    premove: Premove | None = None,
) -> SeatSnapshot:
    """What whoever holds that seat may see.

    `look` is the table's and `own` the seat's view of the game, where they are at hand. `offers` are what a person is
    offered there, `premove` is what that person has prepared.
    """
    game, drawn = table.record.game, table.record.drawn
    if own is None and game is not None:
        own = seat_view(game, seat)
    return SeatSnapshot(look or table_look(table), seat, own, drawn[seat] if drawn else (), offers, premove)
