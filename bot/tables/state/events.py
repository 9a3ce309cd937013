"""Table events: what happened at a table beside the game itself.

Together with the events of `bot.engine.moves.events` they are the table's whole log: folded in order by
`bot.tables.state.fold.fold` they give the table as it stands.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from bot.clocks.law import SeatClock, Stage
from bot.engine.cards.cards import Card
from bot.engine.moves.events import Event
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.state import State
from bot.tables.state.absence import AbsenceEvent
from bot.tables.state.clocks import Conclusion, Pause, TableSettings
from bot.tables.state.contest import ContestEvent
from bot.tables.state.persons import Person
from bot.tables.state.proposals import Proposal
from bot.tables.state.snapshots import ClosedBecause, RecentEvent, ReplayedDeal, SeatHolder


class Deadline(StrEnum):
    """What a table may wait for the clock to do; the value is its stable name."""

    EXPIRE = "expire"  # close a lobby nobody starts, or a game that all persons have left
    NEXT_DEAL = "next_deal"  # begin the next deal
    CLOCK = "clock"  # look how far the time of the seat on the clock has run
    LATEST_END = "latest_end"  # the deal in play is the last, or that is told beforehand
    IDLE = "idle"  # close a game that nobody touches, or tell that beforehand
    PAUSE = "pause"  # let a game that stands still go on
    VOTE = "vote"  # decide what becomes of an absent seat
    PROPOSAL = "proposal"  # let a question to all lapse
    SEAT = "seat"  # decide who is to have a seat
    SUBSTITUTE = "substitute"  # seek a substitute no longer
    ROLL_CALL = "roll_call"  # free the seats of those who do not say that they are in
    ROUND_END = "round_end"  # end a game of a tournament without the deal in play


@dataclass(frozen=True, slots=True)
class LobbyOpened:
    """A table was opened, all its seats empty; `host` is a person, `at` UTC milliseconds.

    `saved_as` is the name under which the server had saved these rules, if it had.
    """

    rules: RuleSet
    host: Person
    at: int
    saved_as: str = ""


@dataclass(frozen=True, slots=True)
class RulesChanged:
    """A lobby is to play these rules."""

    rules: RuleSet


@dataclass(frozen=True, slots=True)
class RulesChosen:
    """A lobby is to play other rules than it was opened with, and these sit in its seats, as many as may play them.

    `saved_as` as in `LobbyOpened`. House rules that the table had are in `rules` or gone.
    """

    rules: RuleSet
    saved_as: str
    seats: tuple[SeatHolder, ...]


@dataclass(frozen=True, slots=True)
class SeatChanged:
    """Somebody sits in the seat now, or nobody."""

    seat: int
    holder: SeatHolder


@dataclass(frozen=True, slots=True)
class JoinRequested:
    """A person waits at a lobby to be let in by its host."""

    holder: SeatHolder


@dataclass(frozen=True, slots=True)
class JoinWithdrawn:
    """A person waits no longer, without a seat."""

    person: Person


@dataclass(frozen=True, slots=True)
class HostChanged:
    """Another person is the host."""

    person: Person


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The lobby became a game; that seat deals first."""

    dealer: int


@dataclass(frozen=True, slots=True)
class SeedCommitted:
    """The seed of a coming deal was drawn and stored, and this commitment to it published."""

    deal: int
    commitment: str


@dataclass(frozen=True, slots=True)
class Contributed:
    """The seat's share in the next deal's shuffle: a request's id that nobody knew before, or a word of its person."""

    seat: int
    word: str


@dataclass(frozen=True, slots=True)
class Shuffled:
    """A deal's pack was put in order with these contributions, in seat order."""

    deal: int
    contributions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeedRevealed:
    """A scored deal's seed was published, hexadecimal."""

    deal: int
    seed: str


@dataclass(frozen=True, slots=True)
class RollCallOpened:
    """The game begins once the persons in these seats have said that they are in; asked at that instant.

    With `fill` computer players take the seats that are free then. Instants are UTC milliseconds.
    """

    at: int
    seats: tuple[int, ...]
    fill: bool


@dataclass(frozen=True, slots=True)
class PresenceConfirmed:
    """Who sits there is in."""

    seat: int


@dataclass(frozen=True, slots=True)
class RollCallEnded:
    """Nobody is asked any more whether they are in."""


@dataclass(frozen=True, slots=True)
class ChannelLost:
    """The table's channel, or the bot's place in its server, is gone since that instant (UTC milliseconds)."""

    at: int


@dataclass(frozen=True, slots=True)
class ChannelRestored:
    """The table is shown again."""


@dataclass(frozen=True, slots=True)
class DeadlineSet:
    """The table waits for that instant (UTC milliseconds), or no longer."""

    deadline: Deadline
    due_at: int | None


@dataclass(frozen=True, slots=True)
class TableClosed:
    """The table was given up."""

    because: ClosedBecause


@dataclass(frozen=True, slots=True)
class Proposed:
    """A seated person proposes something to the others."""

    proposal: Proposal


@dataclass(frozen=True, slots=True)
class ProposalAnswered:
    """A seated person agrees to what is proposed, or does not, which ends the question."""

    person: Person
    agrees: bool


@dataclass(frozen=True, slots=True)
class ProposalEnded:
    """The question is decided: all have agreed, or its time was over before."""

    agreed: bool


@dataclass(frozen=True, slots=True)
class Undone:
    """The game went back to where it stood at that version of the table, hidden cards included.

    `recent` and `drawn` are what the record kept then. Everything else at the table is as it was.
    """

    version: int
    game: State = field(repr=False)
    recent: tuple[RecentEvent, ...] = field(repr=False)
    drawn: tuple[tuple[Card, ...], ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class SubstituteSearchOpened:
    """The seat is for whoever would play on in it, from that instant (UTC milliseconds)."""

    seat: int
    at: int


@dataclass(frozen=True, slots=True)
class SettingsChosen:
    """The table is set to these: its clock and what goes with it."""

    settings: TableSettings


@dataclass(frozen=True, slots=True)
class ClockSet:
    """A seat has so much time left."""

    seat: int
    clock: SeatClock


@dataclass(frozen=True, slots=True)
class ClockRuns:
    """The clock of a seat runs since an instant, in that turn (deal, turn); until then, all being used up."""

    seat: int
    since: int
    until: int
    turn: tuple[int, int]


@dataclass(frozen=True, slots=True)
class ClockStopped:
    """Nobody's clock runs."""


@dataclass(frozen=True, slots=True)
class StageReached:
    """The time of the seat on the clock has run so far; until then, all being used up."""

    seat: int
    stage: Stage
    until: int


@dataclass(frozen=True, slots=True)
class LastDealReached:
    """The latest end of the game has come: the deal in play is the last, and no time is added any more."""


@dataclass(frozen=True, slots=True)
class GamePaused:
    """The game stands still."""

    pause: Pause


@dataclass(frozen=True, slots=True)
class GameResumed:
    """The game goes on."""


@dataclass(frozen=True, slots=True)
class GameConcluded:
    """The game is over otherwise than by its rules; a deal in play does not count."""

    conclusion: Conclusion


@dataclass(frozen=True, slots=True)
class PackFixed:
    """The pack of the table's first deal, which that seat deals: of a deal played before, or of a tournament's board.

    `of` is None for a board. With `streams` every seat draws from a stream of its own (`bot.engine.cards.shuffling`).
    """

    of: ReplayedDeal | None
    dealer: int
    pack: tuple[Card, ...] = field(repr=False)
    streams: bool = False


@dataclass(frozen=True, slots=True)
class RematchOpened:
    """A table was opened that follows this one."""

    following: int


LobbyEvent: TypeAlias = (
    LobbyOpened
    | RulesChanged
    | RulesChosen
    | SeatChanged
    | JoinRequested
    | JoinWithdrawn
    | HostChanged
    | RollCallOpened
    | PresenceConfirmed
    | RollCallEnded
)
"""Folded in `bot.tables.state.seats`."""

ShuffleEvent: TypeAlias = SeedCommitted | Contributed | Shuffled | SeedRevealed | PackFixed
"""Folded in `bot.tables.state.shuffle_folding`."""

ProposalEvent: TypeAlias = Proposed | ProposalAnswered | ProposalEnded | Undone | SubstituteSearchOpened
"""Folded in `bot.tables.state.proposal_folding`."""

ClockEvent: TypeAlias = ClockSet | ClockRuns | ClockStopped | StageReached
"""Folded in `bot.tables.state.clock_folding`."""

LifeEvent: TypeAlias = (
    GameStarted
    | SettingsChosen
    | DeadlineSet
    | LastDealReached
    | GamePaused
    | GameResumed
    | GameConcluded
    | TableClosed
    | ChannelLost
    | ChannelRestored
    | RematchOpened
)
"""Folded in `bot.tables.state.life`."""

TableEvent: TypeAlias = LobbyEvent | ShuffleEvent | ProposalEvent | ClockEvent | LifeEvent | AbsenceEvent | ContestEvent
"""Every event of a table beside those of its game; `bot.tables.state.fold` has a fold for each."""

AnyEvent: TypeAlias = TableEvent | Event
