"""Snapshots of tables for viewers, and other values that the service takes and returns.

A `TableSnapshot` may be shown to anyone. A `SeatSnapshot` and its offers name cards of the hand, so only the person in
the seat may see them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final, Literal

from bot.clocks.clock import HOUR, Spans
from bot.engine.cards.cards import Card
from bot.engine.moves.events import DealEnded, Event
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.views import PublicView, SeatView
from bot.store.tables import TableSummary
from bot.tables.state.absence import NOTHING as NO_ABSENCE
from bot.tables.state.absence import Absence, Vote
from bot.tables.state.clocks import DEFAULT_LEVEL, USUAL, Clocks, Conclusion, Level, Pause, TableSettings
from bot.tables.state.contest import ContestTable
from bot.tables.state.offers import NOTHING, Offers
from bot.tables.state.person_annotation import Person
from bot.tables.state.premoves import Premove
from bot.tables.state.proposals import Proposal, SubstituteSearch, unanswered_people


class Status(StrEnum):
    """The status of a table; the value is its stable name."""

    LOBBY = "lobby"  # the first deal has not begun
    PLAYING = "playing"
    FINISHED = "finished"  # the game has a winner
    CLOSED = "closed"  # the table was closed before the game had a winner


OPEN: Final = (Status.LOBBY, Status.PLAYING)


class ClosingReason(StrEnum):
    """The reason why a table was closed."""

    ASKED = "asked"  # the host or a moderator closed it
    AGREED = "agreed"  # all persons seated agreed to end the game
    EMPTY = "empty"  # the last person left the lobby
    EXPIRED = "expired"  # the game was not started in time, or no player came back in time
    IDLE = "idle"  # players made no move for the time set at the table
    VOID = "void"  # a tournament match was annulled


@dataclass(frozen=True, slots=True)
class Caller:
    """The person who sends a request, the guild, and the request's id, which identifies repetitions.

    The id is that of the Discord interaction. `guild` is None in a direct message, where no table is found. `account`
    is the name of the person's account in plain letters, whatever their display name is.
    """

    person: int
    name: str
    guild: int | None
    request: int
    account: str = ""


@dataclass(frozen=True, slots=True)
class SeatHolder:
    """The holder of a seat: a person, or a computer player.

    A computer player has no name but a `number`, from 1 in each table, and a `level`. `kept_for` is the person who left
    a running game and may take the seat back from the computer player; `kept_name` is that person's name. `account` is
    the account name of the person in either field, for images in which the name cannot be drawn. A person deleted on
    demand is a number below zero without a name.
    """

    kind: Literal["empty", "person", "computer"]
    person: int | None = None
    name: str = ""
    number: int = 0
    kept_for: int | None = None
    kept_name: str = ""
    account: str = ""
    level: Level = DEFAULT_LEVEL

    @property
    def is_former(self) -> bool:
        """Return whether the seat is held by, or kept for, a person who was deleted on demand."""
        return (self.person or self.kept_for or 0) < 0


EMPTY_SEAT: Final = SeatHolder("empty")


@dataclass(frozen=True, slots=True)
class Shuffle:
    """The published data of one deal's shuffle (`docs/shuffle.md`), enough to check the deal.

    The commitment is published before the deal, `contributions` (in seat order) with the deal, and `seed` (hexadecimal)
    with the score; until then they are None.
    """

    deal: int
    commitment: str
    contributions: tuple[str, ...] | None = None
    seed: str | None = None


@dataclass(frozen=True, slots=True)
class ReplayedDeal:
    """A deal of another table whose cards are dealt again. Players may know these cards."""

    table: int
    deal: int


@dataclass(frozen=True, slots=True)
class RollCall:
    """An open roll call: the seats whose players must confirm, and its start (UTC milliseconds)."""

    at: int
    seats: tuple[int, ...]
    fill: bool


@dataclass(frozen=True, slots=True)
class MissedRoll:
    """The persons who missed a roll call and have not sat down again, and when it ended.

    `waits` means that the host keeps the lobby open.
    """

    at: int
    holders: tuple[SeatHolder, ...]
    waits: bool = False


@dataclass(frozen=True, slots=True)
class WaitingQuestion:
    """The open question to the people of a lobby: start with computer players, or wait for others?

    `at` is when it was asked.
    """

    at: int
    persons: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class RecentEvent:
    """A public event, with the turn of the deal to which it belongs.

    Turns are counted from 0 in each deal. `seat` is the seat that caused the event, None if no seat did.
    """

    deal: int
    turn: int
    seat: int | None
    event: Event


@dataclass(frozen=True, slots=True)
class SeatTenure:
    """An entry in the list of seat holders: who holds a seat from a turn of a deal on.

    It is valid until the next entry for the seat.

    This is the only place that keeps the names of people who have left a table.
    """

    seat: int
    deal: int
    turn: int
    holder: SeatHolder


@dataclass(frozen=True, slots=True)
class HintCount:
    """The number of turns in which a seat was given a hint in a deal, and the last of those turns."""

    deal: int
    seat: int
    count: int
    turn: int


def allows_hints(settings: TableSettings, seats: Sequence[SeatHolder], *, contest: bool) -> bool:
    """Return whether players may ask for hints at a table with these seats.

    `contest`: a tournament's table.
    """
    if contest or settings.rated or settings.hints == "off":
        return False
    persons = sum(holder.person is not None or holder.kept_for is not None for holder in seats)
    return settings.hints == "on" or (persons == 1 and all(holder.kind != "empty" for holder in seats))


@dataclass(frozen=True, slots=True)
class HandLeft:
    """The cards left in a seat's hand and foot at the end of a deal, and their negative value."""

    seat: int
    cards: tuple[Card, ...]
    points: int


@dataclass(frozen=True, slots=True)
class DealLeftovers:
    """The facts about a finished deal besides its score: the cards left in hands, public from then on.

    `shown` is the seat that ended the deal with a special hand, and the hand's name; its cards are among those `held`.
    `canastas` are the numbers of canastas on the table, by score; empty if they were not recorded.
    """

    deal: int
    held: tuple[HandLeft, ...]
    shown: tuple[int, str] | None = None
    canastas: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DealSheet:
    """A finished deal: its end and score, the holders of the seats, and the cards left in hands.

    `left` is None if the cards left in hands were not recorded.
    """

    result: DealEnded
    holders: tuple[SeatHolder, ...]
    left: DealLeftovers | None


@dataclass(frozen=True, slots=True)
class TableSnapshot:
    """The public view of a table.

    `host` may start and close it. `view` is None in a lobby. `recent` are public events of the running deal, or of the
    last one: whole turns, oldest first, from the earliest of all seats' last turns on, without events taken back. `sat`
    is who held the seats when, `left` the cards left in hands by finished deals. Instants are UTC milliseconds:
    `expires_at` closes a lobby (or a game that all people have left), `next_deal_at` is when the next deal begins
    unless a player begins it before. `rematch` is the table that followed this one.

    `rules` is the name of the rule set, `saved_as` the guild's name for saved rules, `terms` the rules in use, `base`
    those with which the table was opened, and `joined_terms` those that applied when the lobby's first guest sat down.
    `proposal` is the open question to the people of a game, until `proposal_until`; `sought` are seats for which
    substitutes are sought, until `sought_until`. `absence` is the state of absent people, `vote_until` when their vote
    is decided; `last_deal` means that no deal follows the current one. `clocks` is None without a clock, `pause` while
    the game is not paused; `conclusion` is set if the game ended early. `cards_of` is the deal whose cards are dealt
    again in the first deal.

    `wishes` are persons who wait at a lobby for the host to admit them, `roll` is the roll call before the game,
    `missed` who did not answer the last one, `waiting` the question to the people of a lobby that lacks players.
    `place_lost` is since when the game's channel is gone. `stood` are the
    pauses and the times without a channel that are over. `choice_at` is when those who are left without opponents may
    choose how the game goes on. `hints` counts the hints by deal and seat. `contest` is the table's place in a
    tournament. `waits_since` is when the turn or question came to the seat that is to act, None while none is.
    """

    id: int
    version: int
    status: Status
    guild: int
    channel: int
    thread: int | None
    rules: str
    players: int
    target: int
    host: int
    seats: tuple[SeatHolder, ...]
    view: PublicView | None
    recent: tuple[RecentEvent, ...]
    shuffle: tuple[Shuffle, ...]
    created_at: int
    updated_at: int
    expires_at: int | None
    next_deal_at: int | None
    closed_because: ClosingReason | None
    rematch: int | None
    terms: RuleSet
    base: RuleSet
    joined_terms: RuleSet
    saved_as: str = ""
    sat: tuple[SeatTenure, ...] = ()
    left: tuple[DealLeftovers, ...] = ()
    proposal: Proposal | None = None
    proposal_until: int | None = None
    settings: TableSettings = USUAL
    clocks: Clocks | None = None
    pause: Pause | None = None
    conclusion: Conclusion | None = None
    cards_of: ReplayedDeal | None = None
    absence: Absence = NO_ABSENCE
    vote_until: int | None = None
    sought: tuple[SubstituteSearch, ...] = ()
    sought_until: int | None = None
    last_deal: bool = False
    wishes: tuple[SeatHolder, ...] = ()
    roll: RollCall | None = None
    missed: MissedRoll | None = None
    waiting: WaitingQuestion | None = None
    place_lost: int | None = None
    stood: Spans = ()
    choice_at: int | None = None
    hints: tuple[HintCount, ...] = ()
    contest: ContestTable | None = None
    waits_since: int | None = None

    def seat_of(self, person: int) -> int | None:
        """Return the seat that the person holds."""
        return next((seat for seat, holder in enumerate(self.seats) if holder.person == person), None)

    @property
    def is_halted(self) -> bool:
        """Whether the table is halted: it is paused, or its channel is gone.

        Its deadlines then have no known instant.
        """
        return self.pause is not None or self.place_lost is not None

    @property
    def resumed_at(self) -> int | None:
        """When the table last went on after being halted for an hour or more.

        None if that has never happened, or if it is halted now.
        """
        if self.is_halted:
            return None
        return next((end for start, end in reversed(self.stood) if end - start >= HOUR), None)

    @property
    def has_hints(self) -> bool:
        """Whether players may ask for hints at this table."""
        return allows_hints(self.settings, self.seats, contest=self.contest is not None)

    @property
    def vote(self) -> Vote | None:
        """The open vote about an absent person's seat."""
        return self.absence.vote

    @property
    def actor(self) -> SeatHolder | None:
        """The holder of the seat that must act; None if no seat must."""
        if self.view is None or self.view.actor is None or self.status is not Status.PLAYING:
            return None  # a game that was ended in the middle of a turn waits for nobody
        return self.seats[self.view.actor]

    @property
    def persons(self) -> tuple[int, ...]:
        """The people seated, in seat order."""
        return tuple(holder.person for holder in self.seats if holder.person is not None)

    def holder_at(self, seat: int, deal: int, turn: int | None = None) -> SeatHolder:
        """Return the seat's holder in that turn of that deal; without a turn, at the deal's end.

        If that is not known, return the current holder.
        """
        holder = self.seats[seat]
        for one in self.sat:
            if one.seat == seat and (one.deal < deal or (one.deal == deal and (turn is None or one.turn <= turn))):
                holder = one.holder
        return holder

    def with_holders_at_end_of(self, deal: int) -> TableSnapshot:
        """Return the snapshot with those who held the seats at the end of that deal."""
        return replace(self, seats=tuple(self.holder_at(seat, deal) for seat in range(len(self.seats))))

    @property
    def sheets(self) -> tuple[DealSheet, ...]:
        """The sheets of the finished deals, in order."""
        left = {one.deal: one for one in self.left}
        results = () if self.view is None else self.view.results
        return tuple(
            DealSheet(result, self.with_holders_at_end_of(result.deal).seats, left.get(result.deal))
            for result in results
        )

    def sheet(self, deal: int) -> DealSheet | None:
        """Return that deal's sheet, if the deal is finished."""
        return next((sheet for sheet in self.sheets if sheet.result.deal == deal), None)

    @property
    def has_no_people(self) -> bool:
        """Whether all people have left the game, so that it waits for one of them.

        It is False for the last deal and for a tournament's match: both are played to the end anyway.
        """
        goes_on = self.last_deal or self.contest is not None
        return self.status is Status.PLAYING and not self.persons and not goes_on

    @property
    def unanswered_people(self) -> tuple[int, ...]:
        """The people who have not answered the proposal yet, in seat order."""
        return unanswered_people(self.proposal, [holder.person for holder in self.seats], self.terms)

    @property
    def winner(self) -> int | None:
        """The side that won the game, also if it ended early; None if no side has won."""
        if self.conclusion is not None:
            return self.conclusion.winner
        return None if self.view is None else self.view.winner

    @property
    def is_full(self) -> bool:
        """Whether every seat has a holder."""
        return all(holder.kind != "empty" for holder in self.seats)


@dataclass(frozen=True, slots=True)
class SeatSnapshot:
    """The view of the person in a seat: the table's snapshot and, in a game, the seat's own view.

    `drawn` are the cards that came to the hand since the deal, in order; some may have left it again. `offers` are the
    moves offered besides the legal steps (`bot.tables.advice`); computer players get none. `premove` is the person's
    prepared turn, and its outcome.
    """

    table: TableSnapshot
    seat: int
    view: SeatView | None = field(repr=False)
    drawn: tuple[Card, ...] = field(default=(), repr=False)
    offers: Offers = field(default=NOTHING, repr=False)
    premove: Premove | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class ActionResult:
    """The result of an accepted action: the seat's new snapshot, and the events that it may see.

    `repeated` means that this same request had been served before; nothing happened a second time.
    """

    snapshot: SeatSnapshot
    events: tuple[Event, ...] = field(repr=False)
    repeated: bool


@dataclass(frozen=True, slots=True)
class TableChanged:
    """The notification that a change of a table was stored.

    `due` is the earliest deadline that the change set, UTC milliseconds. `contest` are the numbers of the tournament
    and the match of the table, None elsewhere. `by` is the person who asked for the change, None if nobody did.
    `lobby_of` is the guild if the table is a lobby after the change, 0 otherwise.
    """

    table: int
    version: int
    kind: str
    due: int | None
    contest: tuple[int, int] | None = None
    by: int | None = None
    lobby_of: int = 0


@dataclass(frozen=True, slots=True)
class BoardMessage:
    """The message that shows a table: its place, the table's version that it shows, and when that was.

    `told` records which people were mentioned for which turn (`cogs.shared.posting.mentions`).
    """

    table: int
    channel: int
    message: int
    version: int
    posted_at: int
    told: str = ""


@dataclass(frozen=True, slots=True)
class TableRef:
    """An open table's number, version and location, known without loading the table."""

    id: int
    version: int
    guild: int
    channel: int
    thread: int | None


def table_ref_of(summary: TableSummary) -> TableRef:
    """Return the reference to a stored table."""
    return TableRef(summary.id, summary.version, summary.guild, summary.channel, summary.thread)
