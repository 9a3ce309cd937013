"""Who owes the game a turn or an answer, and is on the clock (`docs/long-games.md`, 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.clocks.law import Stage
from bot.engine.moves.phases import Phase
from bot.engine.table.state import State

if TYPE_CHECKING:
    from bot.tables.record import TableState


def seat_on_clock(record: TableState) -> int | None:
    """The seat whose clock is to run: that of a person in turn, or of a partner who was asked.

    Nobody's runs in a lobby, between deals, during a pause, while the table's channel is gone or all are asked to let a
    move be taken back, with fewer than two persons seated unless the latest end has come or a tournament goes on,
    and once the seat's time is
    used up.
    """
    seat = record.actor
    alone = len(record.persons) < 2 and not record.last_deal and record.contest is None
    stands = record.pause is not None or record.place_lost is not None or record.undo_open or alone
    if (
        seat is None
        or record.settings.clock is None
        or stands
        or record.seats[seat].person is None
        or is_out_of_time(record)
    ):
        return None
    return seat


def is_out_of_time(record: TableState) -> bool:
    """Whether the seat that is to act has used up its time in this turn."""
    clocks = record.clocks
    return (
        clocks is not None
        and clocks.stage is Stage.LAPSED
        and record.game is not None
        and (clocks.told, clocks.turn) == (record.actor, turn_of(record.game))
    )


def turn_of(game: State) -> tuple[int, int]:
    """A turn's own name within its table: deal and turn."""
    return game.deal, game.turns


def is_answering(game: State) -> bool:
    """Whether a partner owes an answer."""
    return game.phase is Phase.ANSWER


def turn_is_over(before: State, after: State, seat: int) -> bool:
    """Whether the turn that the seat was in has ended, and was not taken back."""
    return before.turn == seat and (turn_of(before) < turn_of(after) or after.phase in (Phase.BETWEEN, Phase.OVER))
