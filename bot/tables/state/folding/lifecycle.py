"""The effects of the events about a game's start, pauses, deadlines, channel and end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from bot.clocks.clock import Spans, merge_spans
from bot.engine.table.state import new_game
from bot.tables.state.events import (
    ChannelLost,
    ChannelRestored,
    DeadlineSet,
    GameConcluded,
    GamePaused,
    GameResumed,
    GameStarted,
    HintGiven,
    LastDealReached,
    LifeEvent,
    RematchOpened,
    SettingsChosen,
    TableClosed,
)
from bot.tables.state.folding.proposals import clear_proposal
from bot.tables.state.folding.recent_events import first_tenures
from bot.tables.state.snapshots import HintCount, Status
from bot.tables.state.table import TableState


def _start_game(record: TableState, event: GameStarted) -> TableState:
    """Start the game, and drop data that only a lobby needs."""
    scores = () if record.known is None else record.known.scores
    game = new_game(record.rules, dealer=event.dealer, scores=scores or None)
    return replace(
        record,
        status=Status.PLAYING,
        game=game,
        joined_rules=None,
        sat=first_tenures(record.seats),
        wishes=(),
        roll=None,
        missed=None,
        waiting=None,
    )


def _record_lost_channel(record: TableState, event: ChannelLost) -> TableState:
    """Record that the table's channel is gone."""
    return replace(record, place_lost=event.at)


def _record_restored_channel(record: TableState, event: ChannelRestored) -> TableState:
    """Record that the table has a channel again, and for how long it had none."""
    return replace(record, place_lost=None, stood=_add_span(record.stood, record.place_lost, event.at))


def _add_span(spans: Spans, since: int | None, until: int) -> Spans:
    """Return the spans with that from `since` to `until`; unchanged if `since` is None."""
    return spans if since is None else merge_spans(spans, ((since, until),))


def _set_deadline(record: TableState, event: DeadlineSet) -> TableState:
    """Set or clear the deadline."""
    deadlines, set_at = dict(record.deadlines), dict(record.set_at)
    deadlines.pop(event.deadline, None)
    set_at.pop(event.deadline, None)
    if event.due_at is not None:
        deadlines[event.deadline], set_at[event.deadline] = event.due_at, event.since
    return replace(record, deadlines=deadlines, set_at=set_at)


def _close_table(record: TableState, event: TableClosed) -> TableState:
    """Close the table, and drop its proposal, join requests and roll call."""
    return replace(
        clear_proposal(record), status=Status.CLOSED, closed_because=event.because, wishes=(), roll=None, waiting=None
    )


def _record_rematch(record: TableState, event: RematchOpened) -> TableState:
    """Record the number of the rematch's table."""
    return replace(record, rematch=event.following)


def _set_settings(record: TableState, event: SettingsChosen) -> TableState:
    return replace(record, settings=event.settings)


def _mark_last_deal(record: TableState, _event: LastDealReached) -> TableState:
    """Record that the deal in play is the last."""
    return replace(record, last_deal=True)


def _pause_game(record: TableState, event: GamePaused) -> TableState:
    return replace(record, pause=event.pause)


def _resume_game(record: TableState, event: GameResumed) -> TableState:
    """End the pause, and add it to the spans in which the table was halted."""
    since = None if record.pause is None else record.pause.since
    return replace(record, pause=None, stood=_add_span(record.stood, since, event.at))


def _conclude_game(record: TableState, event: GameConcluded) -> TableState:
    """Finish the game early, and remove its proposal and pause."""
    return replace(clear_proposal(record), status=Status.FINISHED, conclusion=event.conclusion, pause=None)


def _count_hint(record: TableState, event: HintGiven) -> TableState:
    """Count a seat's hint; further hints in the same turn are not counted."""
    before = next((one for one in record.hints if (one.deal, one.seat) == (event.deal, event.seat)), None)
    if before is None:
        return replace(record, hints=(*record.hints, HintCount(event.deal, event.seat, 1, event.turn)))
    if before.turn == event.turn:
        return record
    counted = replace(before, count=before.count + 1, turn=event.turn)
    return replace(record, hints=tuple(counted if one is before else one for one in record.hints))


FOLDS: Final[Mapping[type[LifeEvent], Callable[[TableState, Any], TableState]]] = {
    GameStarted: _start_game,
    SettingsChosen: _set_settings,
    DeadlineSet: _set_deadline,
    LastDealReached: _mark_last_deal,
    GamePaused: _pause_game,
    GameResumed: _resume_game,
    GameConcluded: _conclude_game,
    TableClosed: _close_table,
    ChannelLost: _record_lost_channel,
    ChannelRestored: _record_restored_channel,
    RematchOpened: _record_rematch,
    HintGiven: _count_hint,
}
