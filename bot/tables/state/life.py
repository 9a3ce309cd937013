"""Folds of the events about a table's life: start, pauses, deadlines, channel, end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from bot.engine.table.state import new_game
from bot.tables.state.events import (
    ChannelLost,
    ChannelRestored,
    DeadlineSet,
    GameConcluded,
    GamePaused,
    GameResumed,
    GameStarted,
    LastDealReached,
    LifeEvent,
    RematchOpened,
    SettingsChosen,
    TableClosed,
)
from bot.tables.state.proposal_folding import clear_proposal
from bot.tables.state.recent import all_seated
from bot.tables.state.snapshots import Status
from bot.tables.state.table import TableState


def _game_started(record: TableState, event: GameStarted) -> TableState:
    game = new_game(record.rules, dealer=event.dealer)
    return replace(
        record, status=Status.PLAYING, game=game, joined_rules=None, sat=all_seated(record.seats), wishes=(), roll=None
    )


def _place_lost(record: TableState, event: ChannelLost) -> TableState:
    return replace(record, place_lost=event.at)


def _place_found(record: TableState, _event: ChannelRestored) -> TableState:
    return replace(record, place_lost=None)


def _deadline_set(record: TableState, event: DeadlineSet) -> TableState:
    deadlines = {kind: due for kind, due in record.deadlines.items() if kind is not event.deadline}
    if event.due_at is not None:
        deadlines[event.deadline] = event.due_at
    return replace(record, deadlines=deadlines)


def _table_closed(record: TableState, event: TableClosed) -> TableState:
    return replace(clear_proposal(record), status=Status.CLOSED, closed_because=event.because, wishes=(), roll=None)


def _rematch_opened(record: TableState, event: RematchOpened) -> TableState:
    return replace(record, rematch=event.following)


def _settings_chosen(record: TableState, event: SettingsChosen) -> TableState:
    return replace(record, settings=event.settings)


def _last_deal_came(record: TableState, _event: LastDealReached) -> TableState:
    return replace(record, last_deal=True)


def _game_paused(record: TableState, event: GamePaused) -> TableState:
    return replace(record, pause=event.pause)


def _game_resumed(record: TableState, _event: GameResumed) -> TableState:
    return replace(record, pause=None)


def _game_concluded(record: TableState, event: GameConcluded) -> TableState:
    return replace(clear_proposal(record), status=Status.FINISHED, conclusion=event.conclusion, pause=None)


FOLDS: Final[Mapping[type[LifeEvent], Callable[[TableState, Any], TableState]]] = {
    GameStarted: _game_started,
    SettingsChosen: _settings_chosen,
    DeadlineSet: _deadline_set,
    LastDealReached: _last_deal_came,
    GamePaused: _game_paused,
    GameResumed: _game_resumed,
    GameConcluded: _game_concluded,
    TableClosed: _table_closed,
    ChannelLost: _place_lost,
    ChannelRestored: _place_found,
    RematchOpened: _rematch_opened,
}
