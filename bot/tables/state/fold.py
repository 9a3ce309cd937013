"""What events make of a record. `fold(None, events)` is what a log makes of a table; nothing else changes a record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from bot.engine.cards.cards import Card, replaced
from bot.engine.moves.events import DealEnded, DealStarted, Event, GameEnded, TookBack
from bot.engine.table.evolve import evolve as evolve_game
from bot.engine.table.state import State, new_game
from bot.tables.state import absence as absences
from bot.tables.state import clock_folding
from bot.tables.state import contest as contests
from bot.tables.state import proposal_folding as asking
from bot.tables.state import seats as seating
from bot.tables.state.absence import ABSENCE_EVENTS, AbsenceEvent, SubstituteSearchEnded
from bot.tables.state.contest import CONTEST_EVENTS, ContestEvent
from bot.tables.state.events import (
    AnyEvent,
    ChannelLost,
    ChannelRestored,
    ClockRuns,
    ClockSet,
    ClockStopped,
    Contributed,
    DeadlineSet,
    GameConcluded,
    GamePaused,
    GameResumed,
    GameStarted,
    HostChanged,
    JoinRequested,
    JoinWithdrawn,
    LastDealReached,
    LobbyOpened,
    PackFixed,
    PresenceConfirmed,
    ProposalAnswered,
    ProposalEnded,
    Proposed,
    RematchOpened,
    RollCallEnded,
    RollCallOpened,
    RulesChanged,
    RulesChosen,
    SeatChanged,
    SeedCommitted,
    SeedRevealed,
    SettingsChosen,
    Shuffled,
    StageReached,
    SubstituteSearchOpened,
    TableClosed,
    Undone,
)
from bot.tables.state.recent import all_seated, left_of, remembered, shortened
from bot.tables.state.snapshots import Shuffle, Status
from bot.tables.state.table import TableState


def fold(record: TableState | None, events: Iterable[AnyEvent]) -> TableState:
    """The record after the events; a log's first event is a `LobbyOpened`."""
    for event in events:
        record = evolve(record, event)
    if record is None:
        raise ValueError("a log without events")
    return record


def evolve(record: TableState | None, event: AnyEvent) -> TableState:
    """The record after one event."""
    if isinstance(event, LobbyOpened):
        return seating.lobby_opened(event)
    if record is None:
        raise ValueError(f"a log that does not begin with the opening of a table, but {type(event).__name__}")
    return _HANDLERS.get(type(event), _played)(record, event)


def _absence(record: TableState, event: AbsenceEvent) -> TableState:
    return replace(record, absence=absences.evolve(record.absence, event, record.seats))


def _contest(record: TableState, event: ContestEvent) -> TableState:
    return replace(record, contest=contests.evolve(record.contest, event))


def _search_ended(record: TableState, event: SubstituteSearchEnded) -> TableState:
    return replace(record, sought=tuple(one for one in record.sought if one.seat != event.seat))


def _game_started(record: TableState, event: GameStarted) -> TableState:
    game = new_game(record.rules, dealer=event.dealer)
    return replace(
        record, status=Status.PLAYING, game=game, joined_rules=None, sat=all_seated(record.seats), wishes=(), roll=None
    )


def _seed_committed(record: TableState, event: SeedCommitted) -> TableState:
    """A commitment not used yet is superseded by a later one to the same deal."""
    kept = tuple(shuffle for shuffle in record.shuffles if shuffle.deal != event.deal)
    return replace(
        record,
        shuffles=(*kept, Shuffle(event.deal, event.commitment)),
        contributions=(None,) * len(record.seats),
    )


def _contributed(record: TableState, event: Contributed) -> TableState:
    return replace(record, contributions=replaced(record.contributions, event.seat, event.word))


def _shuffled(record: TableState, event: Shuffled) -> TableState:
    return _with_shuffle(record, replace(record.shuffle(event.deal), contributions=event.contributions))


def _seed_revealed(record: TableState, event: SeedRevealed) -> TableState:
    return _with_shuffle(record, replace(record.shuffle(event.deal), seed=event.seed))


def _with_shuffle(record: TableState, changed: Shuffle) -> TableState:
    shuffles = tuple(changed if shuffle.deal == changed.deal else shuffle for shuffle in record.shuffles)
    return replace(record, shuffles=shuffles)


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
    return replace(
        asking.clear_proposal(record), status=Status.CLOSED, closed_because=event.because, wishes=(), roll=None
    )


def _rematch_opened(record: TableState, event: RematchOpened) -> TableState:
    return replace(record, rematch=event.following)


def _pack_known(record: TableState, event: PackFixed) -> TableState:
    return replace(record, known=event)


def _settings_chosen(record: TableState, event: SettingsChosen) -> TableState:
    return replace(record, settings=event.settings)


def _clocked(record: TableState, event: ClockSet | ClockRuns | ClockStopped | StageReached) -> TableState:
    return replace(record, clocks=clock_folding.evolve(record.clocks, event, seats=len(record.seats)))


def _last_deal_came(record: TableState, _event: LastDealReached) -> TableState:
    return replace(record, last_deal=True)


def _game_paused(record: TableState, event: GamePaused) -> TableState:
    return replace(record, pause=event.pause)


def _game_resumed(record: TableState, _event: GameResumed) -> TableState:
    return replace(record, pause=None)


def _game_concluded(record: TableState, event: GameConcluded) -> TableState:
    return replace(asking.clear_proposal(record), status=Status.FINISHED, conclusion=event.conclusion, pause=None)


def _played(record: TableState, event: Event) -> TableState:
    """An event of the game itself; whoever moves ends the question whether to take a move back."""
    if record.game is None:
        raise ValueError(f"{type(event).__name__} before the game")
    ended, started = isinstance(event, GameEnded), isinstance(event, DealStarted)
    game = evolve_game(record.game, event)
    return replace(
        asking.clear_proposal(record) if ended or record.undo_open else record,
        game=game,
        recent=remembered(record.recent, record.game, game, event),
        sat=shortened(record.sat) if started else record.sat,
        left=(*record.left, left_of(record.game)) if isinstance(event, DealEnded) else record.left,
        drawn=_drawn(record.drawn, record.game, game, event),
        status=Status.FINISHED if ended else record.status,
        proposed=() if started else record.proposed,
        absence=replace(record.absence, seen=()) if started else record.absence,
    )


def _drawn(
    drawn: tuple[tuple[Card, ...], ...], before: State, after: State, event: Event
) -> tuple[tuple[Card, ...], ...]:
    """What came to each hand since the dealing. Cards laid and taken back keep their place."""
    if isinstance(event, DealStarted):
        return ((),) * len(after.hands)
    if isinstance(event, TookBack) or after.hands is before.hands or len(drawn) != len(after.hands):
        return drawn
    came = list(drawn)
    for seat, (held, holds) in enumerate(zip(before.hands, after.hands, strict=True)):
        if holds is not held and (new := Counter(holds) - Counter(held)):
            came[seat] += tuple(sorted(new.elements()))
    return tuple(came)


_HANDLERS: Final[Mapping[type[AnyEvent], Callable[[TableState, Any], TableState]]] = {
    RulesChanged: seating.rules_changed,
    RulesChosen: seating.rules_chosen,
    SeatChanged: seating.seat_changed,
    JoinRequested: seating.join_wished,
    JoinWithdrawn: seating.wish_dropped,
    HostChanged: seating.host_changed,
    GameStarted: _game_started,
    SeedCommitted: _seed_committed,
    Contributed: _contributed,
    Shuffled: _shuffled,
    SeedRevealed: _seed_revealed,
    RollCallOpened: seating.roll_called,
    PresenceConfirmed: seating.present_said,
    RollCallEnded: seating.roll_ended,
    ChannelLost: _place_lost,
    ChannelRestored: _place_found,
    DeadlineSet: _deadline_set,
    TableClosed: _table_closed,
    Proposed: asking.proposed,
    ProposalAnswered: asking.answered,
    ProposalEnded: asking.proposal_ended,
    Undone: asking.undone,
    SubstituteSearchOpened: asking.substitute_sought,
    SettingsChosen: _settings_chosen,
    ClockSet: _clocked,
    ClockRuns: _clocked,
    ClockStopped: _clocked,
    StageReached: _clocked,
    LastDealReached: _last_deal_came,
    GamePaused: _game_paused,
    GameResumed: _game_resumed,
    GameConcluded: _game_concluded,
    PackFixed: _pack_known,
    RematchOpened: _rematch_opened,
    SubstituteSearchEnded: _search_ended,
    **dict.fromkeys(ABSENCE_EVENTS, _absence),
    **dict.fromkeys(CONTEST_EVENTS, _contest),
}
