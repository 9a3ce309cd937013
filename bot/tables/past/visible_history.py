"""The part of a history that a viewer may see.

All data of `bot.tables.past.history` that leaves the package passes through this module.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.engine.moves.events import Event
from bot.engine.play.building_views import public_view
from bot.engine.table.state import State
from bot.engine.table.views import public_event
from bot.tables.past.history import (
    DealLog,
    DealRecord,
    Frame,
    History,
    PastDeal,
    PastTurn,
    PlayedTurn,
    Replay,
    without_undone_events,
)
from bot.tables.state.clocks import ReplayFrom
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import Status, TableSnapshot


def numbers_of_viewable_deals(history: History) -> tuple[int, ...]:
    """Return the numbers of the deals whose cards may be viewed now.

    They are the finished ones, at some tables only after the game. A deal in play is never among them, nor one that was
    dropped when the game was given up.
    """
    record = history.record
    if record.settings.replay is ReplayFrom.GAME and record.status is Status.PLAYING:
        return ()
    return tuple(deal.number for deal in history.deals if deal.ended is not None)


def find_viewable_deal(history: History, table: int, deal: int | None) -> PastDeal:
    """Return the deal if its cards may be viewed; by default the latest such deal.

    Refusals: not_started, cards_after_game, deal_not_open.
    """
    if not history.deals:
        raise TableRefusal(TableCode.NOT_STARTED, {"table": table})
    those = numbers_of_viewable_deals(history)
    if not those and any(one.ended is not None for one in history.deals):
        raise TableRefusal(TableCode.CARDS_AFTER_GAME, {"table": table})
    number = (those or (history.deals[-1].number,))[-1] if deal is None else deal
    found = history.deal(number) if number in those else None
    if found is None:
        raise TableRefusal(TableCode.DEAL_NOT_OPEN, {"table": table, "deal": number})
    return found


def deal_log(history: History, snapshot: TableSnapshot, deal: int | None) -> DealLog:
    """Return the public log of the deal, by default the latest one. Refusals: not_started, no_such_deal."""
    if not history.deals:
        raise TableRefusal(TableCode.NOT_STARTED, {"table": snapshot.id})
    number = history.deals[-1].number if deal is None else deal
    found = history.deal(number)
    if found is None:
        raise TableRefusal(TableCode.NO_SUCH_DEAL, {"table": snapshot.id, "deal": number})
    turns = tuple(
        PlayedTurn(turn.number, turn.seat, _public_parts_of_events(without_undone_events(turn.events)))
        for turn in found.turns
    )
    if found.ended is not None and turns:
        last = turns[-1]
        turns = (*turns[:-1], PlayedTurn(last.number, last.seat, (*last.events, found.ended)))
    return DealLog(snapshot, number, tuple(one.number for one in history.deals), turns)


def replay_of(history: History, snapshot: TableSnapshot, deal: int | None) -> Replay:
    """Return a finished deal with open hands. Refusals as `find_viewable_deal`."""
    found = find_viewable_deal(history, snapshot.id, deal)
    return Replay(snapshot, found.number, numbers_of_viewable_deals(history), _frames_of(found))


def deal_record(history: History, snapshot: TableSnapshot, deal: int | None) -> DealRecord:
    """Return a deal for a director who does not play, with its cards only once the deal is finished.

    Refusals: not_started, no_such_deal.
    """
    log = deal_log(history, snapshot, deal)
    found = history.deal(log.deal)
    finished = found is not None and found.ended is not None
    return DealRecord(log, _frames_of(found) if found is not None and finished else ())


def _frames_of(deal: PastDeal) -> tuple[Frame, ...]:
    """Return the deal's frames: the table as dealt, then after each turn."""
    return (_frame_of(deal.dealt, None), *(_frame_of(turn.after, turn) for turn in deal.turns))


def _frame_of(state: State, turn: PastTurn | None) -> Frame:
    """Return the table in this state as a frame, with all hands open."""
    played = None if turn is None else PlayedTurn(turn.number, turn.seat, without_undone_events(turn.events))
    return Frame(played, public_view(state), state.hands, state.feet)


def _public_parts_of_events(events: Iterable[Event]) -> tuple[Event, ...]:
    """Return the public part of each event."""
    return tuple(map(public_event, events))
