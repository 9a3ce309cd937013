"""The record: the whole of one table, from its lobby to its end, hidden cards included.

A record is a value, the fold of its table's log: `fold(None, events)` is what the log makes of a table, and the
service changes a record in no other way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from bot.engine.cards import Card
from bot.engine.events import DealEnded, DealStarted, Event, GameEnded, TookBack
from bot.engine.evolve import evolve as evolve_game
from bot.engine.hands import replaced
from bot.engine.rules import RuleSet
from bot.engine.state import State, actor, new_game
from bot.tables.absence import folding as absences
from bot.tables.absence.events import ABSENCE_EVENTS, AbsenceEvent, SearchEnded
from bot.tables.absence.values import NOTHING, Absence
from bot.tables.consent import folding as asking
from bot.tables.consent.proposal import Kind, Proposal, Proposing, Sought
from bot.tables.events import (
    AnyEvent,
    ClockRuns,
    ClockSet,
    ClockStopped,
    CloseAnswered,
    CloseAsked,
    Contributed,
    Deadline,
    DeadlineSet,
    GameConcluded,
    GamePaused,
    GameResumed,
    GameStarted,
    HostChanged,
    JoinWished,
    LastDealCame,
    LobbyOpened,
    PackKnown,
    ProposalAnswered,
    ProposalEnded,
    Proposed,
    RematchOpened,
    RulesChanged,
    RulesChosen,
    SeatChanged,
    SeedCommitted,
    SeedRevealed,
    SettingsChosen,
    Shuffled,
    StageReached,
    SubstituteSought,
    TableClosed,
    Undone,
    WishDropped,
)
from bot.tables.holders import Holders
from bot.tables.looks import (
    EMPTY_SEAT,
    ClosedBecause,
    DealLeft,
    RecentEvent,
    Sat,
    SeatHolder,
    Shuffle,
    Status,
)
from bot.tables.remembering import all_seated, left_of, remembered, seated, shortened
from bot.tables.timing import folding
from bot.tables.timing.clocks import Clocks, Conclusion, Pause
from bot.tables.timing.settings import USUAL, TableSettings


@dataclass(frozen=True, slots=True)
class Record:
    """One table.

    `contributions` has one word (or None) a seat, for the next deal's shuffle. `deadlines` are UTC milliseconds.
    `recent`, `sat` and `left` are its past (`bot.tables.looks.TableLook`).
    `drawn` are, by seat, the cards that came to the hand after this deal's dealing, in the order they came, those that
    have left it again included. `saved_as` is the server's own name for the rules it was opened with, `base` those
    rules where the table has changed them; `joined_rules` what it was to play when the first of those came who sit
    with the host, where that has changed since. `proposal` is the question that its persons are asked, `proposed`
    what they have asked in this deal, `pauses` how often all have agreed to one; `sought` are the seats for which
    substitutes are sought, `absence` is all else that is known of absent persons. `undone` is the last turn,
    (deal, turn), whose end was taken back.
    `clocks` is None where nobody's time is counted, `pause` where the game goes on. `last_deal` tells that no deal
    follows the one in play.
    `known` is the pack of its first deal where that has the cards of another, which needs no shuffle. `wishes` are the
    persons who wait at a lobby to be let in, first come first.
    Its description in a log or a traceback shows no card.
    """

    status: Status
    rules: RuleSet
    host: int
    seats: tuple[SeatHolder, ...]
    created_at: int
    contributions: tuple[str | None, ...]
    game: State | None = field(default=None, repr=False)
    shuffles: tuple[Shuffle, ...] = ()
    recent: tuple[RecentEvent, ...] = ()
    drawn: tuple[tuple[Card, ...], ...] = field(default=(), repr=False)
    deadlines: Mapping[Deadline, int] = field(default_factory=dict)
    closed_because: ClosedBecause | None = None
    rematch: int | None = None
    saved_as: str = ""
    base: RuleSet | None = None
    joined_rules: RuleSet | None = None
    sat: tuple[Sat, ...] = ()
    left: tuple[DealLeft, ...] = ()
    proposal: Proposal | None = None
    proposed: tuple[Proposing, ...] = ()
    pauses: int = 0
    sought: tuple[Sought, ...] = ()
    undone: tuple[int, int] | None = None
    settings: TableSettings = USUAL
    clocks: Clocks | None = None
    pause: Pause | None = None
    conclusion: Conclusion | None = None
    last_deal: bool = False
    known: PackKnown | None = None
    absence: Absence = NOTHING
    wishes: tuple[SeatHolder, ...] = ()

    @property
    def guests(self) -> tuple[int, ...]:
        """The persons seated beside the host."""
        return tuple(person for person in self.persons if person != self.host)

    @property
    def persons(self) -> tuple[int, ...]:
        """The persons seated, in seat order."""
        return tuple(holder.person for holder in self.seats if holder.person is not None)

    @property
    def actor(self) -> int | None:
        """The seat that is to act, or None when none is."""
        return None if self.game is None or self.status is not Status.PLAYING else actor(self.game)

    @property
    def sleeps(self) -> bool:
        """Whether a game rests because all persons have left it; its last deal is played to the end all the same."""
        return self.status is Status.PLAYING and not self.persons and not self.last_deal

    def seat_of(self, person: int) -> int | None:
        """The seat that person holds."""
        return next((seat for seat, holder in enumerate(self.seats) if holder.person == person), None)

    def seat_kept_for(self, person: int) -> int | None:
        """The seat a computer player holds for that person."""
        return next((seat for seat, holder in enumerate(self.seats) if holder.kept_for == person), None)

    def empty_seat(self) -> int | None:
        """The first seat that nobody holds."""
        return next((seat for seat, holder in enumerate(self.seats) if holder.kind == "empty"), None)

    @property
    def undo_open(self) -> bool:
        """Whether all are asked to let somebody take a move back; nobody's clock runs meanwhile."""
        return self.proposal is not None and self.proposal.kind is Kind.UNDO

    @property
    def pending_shuffle(self) -> Shuffle | None:
        """The commitment to the seed of the next deal."""
        return next((shuffle for shuffle in self.shuffles if shuffle.contributions is None), None)

    def shuffle(self, deal: int) -> Shuffle:
        """What is published of that deal's shuffle."""
        return next(shuffle for shuffle in self.shuffles if shuffle.deal == deal)


@dataclass(frozen=True, slots=True)
class Table:
    """A record with its number, its place and its version; `holders` are the persons it is stored with."""

    id: int
    version: int
    guild: int
    channel: int
    thread: int | None
    updated_at: int
    record: Record = field(repr=False)
    holders: Holders = field(default_factory=Holders, repr=False, compare=False)


def fold(record: Record | None, events: Iterable[AnyEvent]) -> Record:
    """The record after the events; a log's first event is a `LobbyOpened`."""
    for event in events:
        record = evolve(record, event)
    if record is None:
        raise ValueError("a log without events")
    return record


def evolve(record: Record | None, event: AnyEvent) -> Record:
    """The record after one event."""
    if isinstance(event, LobbyOpened):
        return _lobby_opened(event)
    if record is None:
        raise ValueError(f"a log that does not begin with the opening of a table, but {type(event).__name__}")
    return _HANDLERS.get(type(event), _played)(record, event)


def _lobby_opened(event: LobbyOpened) -> Record:
    return Record(
        status=Status.LOBBY,
        rules=event.rules,
        host=event.host,
        seats=(EMPTY_SEAT,) * event.rules.players,
        created_at=event.at,
        contributions=(None,) * event.rules.players,
        saved_as=event.saved_as,
    )


def _rules_changed(record: Record, event: RulesChanged) -> Record:
    base = record.base or record.rules
    joined = record.joined_rules or (record.rules if record.guests else None)
    return replace(
        record,
        rules=event.rules,
        base=None if event.rules == base else base,
        joined_rules=None if event.rules == joined else joined,
    )


def _rules_chosen(record: Record, event: RulesChosen) -> Record:
    """Seats are dealt out anew, so nobody has contributed to a shuffle yet."""
    joined = record.joined_rules or (record.rules if record.guests else None)
    return replace(
        record,
        rules=event.rules,
        base=None,
        saved_as=event.saved_as,
        seats=event.seats,
        contributions=(None,) * len(event.seats),
        joined_rules=None if event.rules == joined else joined,
    )


def _seat_changed(record: Record, event: SeatChanged) -> Record:
    """Whoever comes to a seat has contributed nothing yet."""
    after = replace(
        record,
        seats=replaced(record.seats, event.seat, event.holder),
        contributions=replaced(record.contributions, event.seat, None),
        sat=_sat(record, event),
        sought=tuple(one for one in record.sought if one.seat != event.seat),
        absence=_absence_of_others(record, event),
        wishes=_without(record.wishes, event.holder.person),
    )
    return _without_news(asking.still_asked(after))


def _absence_of_others(record: Record, event: SeatChanged) -> Absence:
    game = record.game
    turn = None if game is None else (game.deal, game.turns)
    before = record.seats[event.seat]
    return absences.seat_changed(record.absence, before, event.holder, seat=event.seat, turn=turn)


def _absence(record: Record, event: AbsenceEvent) -> Record:
    return replace(record, absence=absences.evolve(record.absence, event, record.seats))


def _search_ended(record: Record, event: SearchEnded) -> Record:
    return replace(record, sought=tuple(one for one in record.sought if one.seat != event.seat))


def _sat(record: Record, event: SeatChanged) -> tuple[Sat, ...]:
    """Who sat where; in a lobby nobody plays yet."""
    if record.game is None:
        return ()
    before = record.sat or all_seated(record.seats)
    return seated(before, record.game, record.recent, seat=event.seat, holder=event.holder)


def _join_wished(record: Record, event: JoinWished) -> Record:
    return replace(record, wishes=(*record.wishes, event.holder))


def _wish_dropped(record: Record, event: WishDropped) -> Record:
    return replace(record, wishes=_without(record.wishes, event.person))


def _without(wishes: tuple[SeatHolder, ...], person: int | None) -> tuple[SeatHolder, ...]:
    """Those who wait, but for one."""
    return tuple(one for one in wishes if one.person != person)


def _host_changed(record: Record, event: HostChanged) -> Record:
    return _without_news(replace(record, host=event.person))


def _without_news(record: Record) -> Record:
    """No change of the rules is news where nobody sits with the host."""
    return record if record.guests or record.joined_rules is None else replace(record, joined_rules=None)


def _game_started(record: Record, event: GameStarted) -> Record:
    game = new_game(record.rules, dealer=event.dealer)
    return replace(record, status=Status.PLAYING, game=game, joined_rules=None, sat=all_seated(record.seats), wishes=())


def _seed_committed(record: Record, event: SeedCommitted) -> Record:
    """A commitment not used yet is superseded by a later one to the same deal."""
    kept = tuple(shuffle for shuffle in record.shuffles if shuffle.deal != event.deal)
    return replace(
        record,
        shuffles=(*kept, Shuffle(event.deal, event.commitment)),
        contributions=(None,) * len(record.seats),
    )


def _contributed(record: Record, event: Contributed) -> Record:
    return replace(record, contributions=replaced(record.contributions, event.seat, event.word))


def _shuffled(record: Record, event: Shuffled) -> Record:
    return _with_shuffle(record, replace(record.shuffle(event.deal), contributions=event.contributions))


def _seed_revealed(record: Record, event: SeedRevealed) -> Record:
    return _with_shuffle(record, replace(record.shuffle(event.deal), seed=event.seed))


def _with_shuffle(record: Record, changed: Shuffle) -> Record:
    shuffles = tuple(changed if shuffle.deal == changed.deal else shuffle for shuffle in record.shuffles)
    return replace(record, shuffles=shuffles)


def _deadline_set(record: Record, event: DeadlineSet) -> Record:
    deadlines = {kind: due for kind, due in record.deadlines.items() if kind is not event.deadline}
    if event.due_at is not None:
        deadlines[event.deadline] = event.due_at
    return replace(record, deadlines=deadlines)


def _table_closed(record: Record, event: TableClosed) -> Record:
    return replace(asking.unasked(record), status=Status.CLOSED, closed_because=event.because, wishes=())


def _rematch_opened(record: Record, event: RematchOpened) -> Record:
    return replace(record, rematch=event.following)


def _pack_known(record: Record, event: PackKnown) -> Record:
    return replace(record, known=event)


def _settings_chosen(record: Record, event: SettingsChosen) -> Record:
    return replace(record, settings=event.settings)


def _clocked(record: Record, event: ClockSet | ClockRuns | ClockStopped | StageReached) -> Record:
    return replace(record, clocks=folding.evolve(record.clocks, event, seats=len(record.seats)))


def _last_deal_came(record: Record, _event: LastDealCame) -> Record:
    return replace(record, last_deal=True)


def _game_paused(record: Record, event: GamePaused) -> Record:
    return replace(record, pause=event.pause)


def _game_resumed(record: Record, _event: GameResumed) -> Record:
    return replace(record, pause=None)


def _game_concluded(record: Record, event: GameConcluded) -> Record:
    return replace(asking.unasked(record), status=Status.FINISHED, conclusion=event.conclusion, pause=None)


def _played(record: Record, event: Event) -> Record:
    """An event of the game itself; whoever moves ends the question whether to take a move back."""
    if record.game is None:
        raise ValueError(f"{type(event).__name__} before the game")
    ended, started = isinstance(event, GameEnded), isinstance(event, DealStarted)
    game = evolve_game(record.game, event)
    return replace(
        asking.unasked(record) if ended or record.undo_open else record,
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


_HANDLERS: Final[Mapping[type[AnyEvent], Callable[[Record, Any], Record]]] = {
    RulesChanged: _rules_changed,
    RulesChosen: _rules_chosen,
    SeatChanged: _seat_changed,
    JoinWished: _join_wished,
    WishDropped: _wish_dropped,
    HostChanged: _host_changed,
    GameStarted: _game_started,
    SeedCommitted: _seed_committed,
    Contributed: _contributed,
    Shuffled: _shuffled,
    SeedRevealed: _seed_revealed,
    DeadlineSet: _deadline_set,
    TableClosed: _table_closed,
    CloseAsked: asking.close_asked,
    CloseAnswered: asking.answered,
    Proposed: asking.proposed,
    ProposalAnswered: asking.answered,
    ProposalEnded: asking.proposal_ended,
    Undone: asking.undone,
    SubstituteSought: asking.substitute_sought,
    SettingsChosen: _settings_chosen,
    ClockSet: _clocked,
    ClockRuns: _clocked,
    ClockStopped: _clocked,
    StageReached: _clocked,
    LastDealCame: _last_deal_came,
    GamePaused: _game_paused,
    GameResumed: _game_resumed,
    GameConcluded: _game_concluded,
    PackKnown: _pack_known,
    RematchOpened: _rematch_opened,
    SearchEnded: _search_ended,
    **dict.fromkeys(ABSENCE_EVENTS, _absence),
}
