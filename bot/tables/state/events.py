"""The events of a table, except those of the game itself.

With the events of `bot.engine.moves.events` they make up the table's log:
`bot.tables.state.fold.apply_table_events` folds them in order to the current table. Instants are UTC milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeAlias

from bot.clocks.time_rules import SeatClock, Stage
from bot.engine.cards.cards import Card
from bot.engine.moves.actions import Act, Step
from bot.engine.moves.events import Event
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.state import State
from bot.tables.state.absence import AbsenceEvent, ClaimEnded, VoteDecided
from bot.tables.state.clocks import Conclusion, Pause, TableSettings
from bot.tables.state.contest import ContestEvent
from bot.tables.state.person_annotation import Person
from bot.tables.state.proposals import Proposal
from bot.tables.state.snapshots import ClosingReason, RecentEvent, ReplayedDeal, SeatHolder


class Deadline(StrEnum):
    """The kinds of alarm of a table; the value is its stable name."""

    EXPIRE = "expire"  # close a lobby that is not started, or a game that all persons have left
    NEXT_DEAL = "next_deal"  # begin the next deal
    CLOCK = "clock"  # check the time of the seat on the clock
    LATEST_END = "latest_end"  # make the deal in play the last one, or warn of this
    IDLE = "idle"  # close an idle game, or warn of this
    PAUSE = "pause"  # end a pause
    VOTE = "vote"  # decide the vote about an absent player's seat
    PROPOSAL = "proposal"  # end a proposal that is not fully answered
    SEAT = "seat"  # decide a claim to a seat
    SUBSTITUTE = "substitute"  # end the search for a substitute
    CHOICE = "choice"  # let players without opponents choose how the game goes on
    PLACE = "place"  # close a game whose channel is gone
    WAITING = "waiting"  # ask the people of a lobby whether computer players shall take the free seats
    ROLL_CALL = "roll_call"  # free the seats that did not answer the roll call
    ROUND_END = "round_end"  # end a tournament game; the deal in play does not count


MOVED_BY_OUTAGES: Final = frozenset({Deadline.PAUSE, Deadline.PLACE, Deadline.ROUND_END})
"""Deadlines that run on while a table stands, and that only outages of the bot postpone."""


@dataclass(frozen=True, slots=True)
class LobbyOpened:
    """A table was opened with empty seats by the person `host`.

    `saved_as` is the name under which the guild had saved these rules, if it had.
    """

    rules: RuleSet
    host: Person
    at: int
    saved_as: str = ""


@dataclass(frozen=True, slots=True)
class RulesChanged:
    """The lobby's rules were changed."""

    rules: RuleSet


@dataclass(frozen=True, slots=True)
class RulesChosen:
    """The lobby got another rule set, and these holders of its seats.

    `saved_as` as in `LobbyOpened`. `rules` replace all former house rules of the table.
    """

    rules: RuleSet
    saved_as: str
    seats: tuple[SeatHolder, ...]


@dataclass(frozen=True, slots=True)
class SeatChanged:
    """A seat got another holder, or became empty."""

    seat: int
    holder: SeatHolder


@dataclass(frozen=True, slots=True)
class JoinRequested:
    """A person asked to join a lobby whose host decides about it."""

    holder: SeatHolder


@dataclass(frozen=True, slots=True)
class JoinWithdrawn:
    """A person no longer waits to be admitted to the lobby, without having got a seat."""

    person: Person


@dataclass(frozen=True, slots=True)
class HostChanged:
    """Another person became the table's host."""

    person: Person


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The game of the lobby started; the seat `dealer` deals first."""

    dealer: int


@dataclass(frozen=True, slots=True)
class SeedCommitted:
    """The seed of a coming deal was drawn and stored, and this commitment to it published."""

    deal: int
    commitment: str


@dataclass(frozen=True, slots=True)
class Contributed:
    """A seat contributed to the next shuffle: the id of a request, or the player's word."""

    seat: int
    word: str


@dataclass(frozen=True, slots=True)
class Shuffled:
    """A deal's pack was shuffled with these contributions, given in seat order."""

    deal: int
    contributions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeedRevealed:
    """The seed of a scored deal was published, in hexadecimal."""

    deal: int
    seed: str


@dataclass(frozen=True, slots=True)
class RollCallOpened:
    """The people in these seats were asked to confirm that they will play; then the game begins.

    With `fill` computer players take the empty seats then. Instants are UTC milliseconds.
    """

    at: int
    seats: tuple[int, ...]
    fill: bool


@dataclass(frozen=True, slots=True)
class PresenceConfirmed:
    """The person in this seat confirmed that they will play."""

    seat: int


@dataclass(frozen=True, slots=True)
class RollCallEnded:
    """The roll call ended; the people in the seats `silent` did not answer and lose these seats."""

    at: int
    silent: tuple[SeatHolder, ...] = ()


@dataclass(frozen=True, slots=True)
class LobbyKept:
    """The host keeps the lobby open although players missed the roll call."""


@dataclass(frozen=True, slots=True)
class WaitingAsked:
    """The people of a lobby were asked whether to start with computer players or to wait on."""

    at: int
    persons: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class WaitingChosen:
    """A person at the lobby chose to wait on for others."""

    person: Person


@dataclass(frozen=True, slots=True)
class ChannelLost:
    """The table's channel was deleted, or the bot was removed from the guild."""

    at: int


@dataclass(frozen=True, slots=True)
class ChannelRestored:
    """The table was shown in a channel again."""

    at: int


@dataclass(frozen=True, slots=True)
class DeadlineSet:
    """An alarm of the table was set to an instant (UTC milliseconds), or cleared (None).

    `since` is when it was set; `bot.tables.core.repository` fills it in as it stores the event. Time between the two in
    which the table is halted moves the deadline (`bot.tables.timing.halted_tables`).
    """

    deadline: Deadline
    due_at: int | None
    since: int = 0


@dataclass(frozen=True, slots=True)
class TableClosed:
    """The table was closed before the end of a game."""

    because: ClosingReason


@dataclass(frozen=True, slots=True)
class Proposed:
    """A seated person proposed something to the other players."""

    proposal: Proposal


@dataclass(frozen=True, slots=True)
class ProposalAnswered:
    """A seated person agreed to the proposal, or refused, which ends it."""

    person: Person
    agrees: bool


@dataclass(frozen=True, slots=True)
class ProposalEnded:
    """The proposal is over: all have agreed, or its time ran out."""

    agreed: bool


@dataclass(frozen=True, slots=True)
class Undone:
    """The game was set back to its state at an earlier version of the table, hidden cards included.

    `recent` and `drawn` are the record's values at that version. Everything besides the game is unchanged.
    """

    version: int
    game: State = field(repr=False)
    recent: tuple[RecentEvent, ...] = field(repr=False)
    drawn: tuple[tuple[Card, ...], ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class SubstituteSearchOpened:
    """A search for a substitute for the seat began."""

    seat: int
    at: int


@dataclass(frozen=True, slots=True)
class SettingsChosen:
    """The table got these settings."""

    settings: TableSettings


@dataclass(frozen=True, slots=True)
class ClockSet:
    """A seat's clock was set to this time left."""

    seat: int
    clock: SeatClock


@dataclass(frozen=True, slots=True)
class ClockRuns:
    """A seat's clock was started at the instant `since`, in the turn `turn` (deal, turn).

    `until` is when its time is used up, `decided_at` when the table decides about the seat at the latest.
    """

    seat: int
    since: int
    until: int
    turn: tuple[int, int]
    decided_at: int | None = None


@dataclass(frozen=True, slots=True)
class ClockStopped:
    """The running clock was stopped."""


@dataclass(frozen=True, slots=True)
class StageReached:
    """The seat that must act has reached a stage of its time.

    `until` is when its time is used up, `decided_at` when the table decides about the seat at the latest.
    """

    seat: int
    stage: Stage
    until: int
    decided_at: int | None = None


@dataclass(frozen=True, slots=True)
class VacationDayTaken:
    """The seat that must act had used up its time and took a day of vacation, from `start` to `end`.

    It is stored with the person's own days in the same write.
    """

    seat: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class VacationEnded:
    """A move ended a person's planned vacation.

    It ended at once at this table, and at `day_end` at the person's other tables.
    """

    seat: int
    at: int
    day_end: int


@dataclass(frozen=True, slots=True)
class LastDealReached:
    """The latest end of the game was reached: the deal in play is the last one.

    Clocks get no more time.
    """


@dataclass(frozen=True, slots=True)
class GamePaused:
    """The game was paused."""

    pause: Pause


@dataclass(frozen=True, slots=True)
class GameResumed:
    """The pause of the game ended."""

    at: int


@dataclass(frozen=True, slots=True)
class GameConcluded:
    """The game ended early; a deal in play does not count."""

    conclusion: Conclusion


@dataclass(frozen=True, slots=True)
class PackFixed:
    """The pack and dealer of the first deal were fixed, for a replayed deal or a tournament's board.

    `of` is None for a board. With `streams` every seat draws from its own stream (`bot.engine.cards.shuffling`). A
    position that is practised begins with `scores`, and `first` are the actions that lead to it.
    """

    of: ReplayedDeal | None
    dealer: int
    pack: tuple[Card, ...] = field(repr=False)
    streams: bool = False
    scores: tuple[int, ...] = ()
    first: tuple[Step | Act, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class HintGiven:
    """A seat was given a hint in a turn of a deal."""

    seat: int
    deal: int
    turn: int


@dataclass(frozen=True, slots=True)
class RematchOpened:
    """A table was opened as the rematch of this one."""

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
    | LobbyKept
    | WaitingAsked
    | WaitingChosen
)
"""Folded in `bot.tables.state.folding.seats`."""

ShuffleEvent: TypeAlias = SeedCommitted | Contributed | Shuffled | SeedRevealed | PackFixed
"""Folded in `bot.tables.state.folding.shuffle`."""

ProposalEvent: TypeAlias = Proposed | ProposalAnswered | ProposalEnded | Undone | SubstituteSearchOpened
"""Folded in `bot.tables.state.folding.proposals`."""

ClockEvent: TypeAlias = ClockSet | ClockRuns | ClockStopped | StageReached | VacationDayTaken | VacationEnded
"""Folded in `bot.tables.state.folding.clocks`."""

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
    | HintGiven
)
"""Folded in `bot.tables.state.folding.lifecycle`."""

SettlingEvent: TypeAlias = VoteDecided | ClaimEnded | ProposalAnswered | ProposalEnded
"""Events that settle a question put to the persons at a table."""

TableEvent: TypeAlias = LobbyEvent | ShuffleEvent | ProposalEvent | ClockEvent | LifeEvent | AbsenceEvent | ContestEvent
"""Every event of a table besides those of its game; `bot.tables.state.fold` has a fold for each."""

AnyEvent: TypeAlias = TableEvent | Event
