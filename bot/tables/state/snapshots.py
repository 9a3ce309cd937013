"""Looks: what a table shows, and the few values that the service takes and gives.

A `TableSnapshot` may be shown to anybody; a `SeatSnapshot` only to the person in that seat.

What a seat is offered beside the steps it may take: layings, openings, ways to take the pile, a way out.

All of it names cards of the seat's own hand, so it is for the person who holds that seat and nobody else.

Whereabouts: what is known of a table without reading it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final, Literal

from bot.engine.cards.cards import Card, Kind
from bot.engine.cards.places import Place
from bot.engine.moves.actions import Action, Combine, Lay, LayMelds, LayRun, Meld, Step, Take
from bot.engine.moves.events import DealEnded, Event
from bot.engine.moves.refusals import Refusal
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.views import PublicView, SeatView
from bot.store.tables import TableSummary
from bot.tables.state.absence import NOTHING as NO_ABSENCE
from bot.tables.state.absence import Absence, Vote
from bot.tables.state.clocks import USUAL, Clocks, Conclusion, Pause, TableSettings
from bot.tables.state.contest import ContestTable
from bot.tables.state.premoves import Premove
from bot.tables.state.proposals import Proposal, SubstituteSearch, awaited

Word = Literal["ask", "announce"]
"""What has to be said before a seat goes out: its partner is asked and has to agree, or the others are told."""


@dataclass(frozen=True, slots=True)
class Laying:
    """Cards of the hand for one place on the table: a new meld, or more of one that lies there.

    `step` lays them; where several steps do, as on a way out, it is the last one. `new` tells that nothing lay there
    before, `size` how many cards lie there after, `canasta` that they make a canasta of it. `points` are the cards'.
    """

    step: Meld | LayRun = field(repr=False)
    cards: tuple[Card, ...] = field(repr=False)
    place: Place = field(repr=False)
    new: bool
    size: int
    points: int
    canasta: bool


@dataclass(frozen=True, slots=True)
class Partner:
    """A partner, and how many cards it holds in its hand and in a foot or talon that it has not taken up."""

    seat: int
    cards: int
    waiting: int


@dataclass(frozen=True, slots=True)
class WayOut:
    """A lawful way for the seat to go out in this turn, whatever the cards it cannot see.

    `steps` lead there in order, what has to be said among them: after an `Ask` they go on once the partner has agreed.
    `word` is what is still to be said; `may_ask` tells that the partner may be asked though nobody has to.
    `take` is the step that takes the pile, where that belongs to it, `layings` what is laid, place by place, `united`
    the melds laid together, and `discard` the kind of the last card, None where nothing is discarded.
    `points` are what the seat's own side makes in this deal then, but for what the `partners` still hold.
    """

    steps: tuple[Step, ...] = field(repr=False)
    word: Word | None
    may_ask: bool
    take: Take | None = field(repr=False)
    layings: tuple[Laying, ...] = field(repr=False)
    united: tuple[Combine, ...] = field(repr=False)
    discard: Kind | None = field(repr=False)
    points: int
    partners: tuple[Partner, ...]


@dataclass(frozen=True, slots=True)
class Opening:
    """Melds that open the side: the cheapest found, what has been put together among them.

    `melds` is all that is to be laid in one act, `added` what comes to the melds put together, none where these are
    enough. `points` is what the side has laid in this turn then, `required` its minimum.
    """

    melds: tuple[Lay, ...] = field(repr=False)
    added: tuple[Laying, ...] = field(repr=False)
    points: int
    required: int

    @property
    def action(self) -> LayMelds:
        """The act that opens the side."""
        return LayMelds(self.melds)


@dataclass(frozen=True, slots=True)
class TakeWay:
    """A way to take the pile: `action` does it, with the further melds that open the side where it has not opened.

    `step` claims the top card with the `cards` of the hand; `added` are the melds laid besides, those put together
    left out. `points` is what opens the side, None where it has opened or where no points are counted.
    """

    step: Take = field(repr=False)
    action: Action = field(repr=False)
    cards: tuple[Card, ...] = field(repr=False)
    added: tuple[Laying, ...] = field(repr=False)
    points: int | None
    required: int


@dataclass(frozen=True, slots=True)
class Offers:
    """What a seat that is to act is offered; `NOTHING` for every other.

    `layings` are what one touch lays now, or what can be put together by a side that has not opened: the best first.
    `why_not` is the refusal that the melds put together would meet if they were laid as they are; None where they
    would meet none, and where there are none.
    """

    layings: tuple[Laying, ...] = ()
    opening: Opening | None = None
    takes: tuple[TakeWay, ...] = ()
    way_out: WayOut | None = None
    why_not: Refusal | None = field(default=None, repr=False)


NOTHING: Final = Offers()


class Status(StrEnum):
    """Where a table stands; the value is its stable name."""

    LOBBY = "lobby"  # before its first deal
    PLAYING = "playing"
    FINISHED = "finished"  # the game has a winner
    CLOSED = "closed"  # given up before that


OPEN: Final = (Status.LOBBY, Status.PLAYING)


class ClosedBecause(StrEnum):
    """Why a table was closed."""

    ASKED = "asked"  # somebody who may closed it
    AGREED = "agreed"  # all persons seated agreed to give up the game
    EMPTY = "empty"  # the last person left the lobby
    EXPIRED = "expired"  # nobody started it, or nobody came back, in time
    IDLE = "idle"  # nobody touched the game for as long as its table is set to
    VOID = "void"  # a match of a tournament counts for nothing


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks, from which server, and the request's own id (an interaction's), by which doubles are known.

    `guild` is None in a direct message, where no table is found. `account` is the name of the person's account, of
    plain letters, whatever the person calls itself.
    """

    person: int
    name: str
    guild: int | None
    request: int
    account: str = ""


@dataclass(frozen=True, slots=True)
class SeatHolder:
    """Who sits in a seat.

    A computer player has no name of its own but a `number`, from 1 in each table. `kept_for` is the person who left a
    running game and may take the seat back from the computer player; `kept_name` that person's name. `account` is the
    name of the person's account, of whichever of the two there is, for where the name cannot be drawn.
    Whoever was forgotten on demand is a person below zero without a name.
    """

    kind: Literal["empty", "person", "computer"]
    person: int | None = None
    name: str = ""
    number: int = 0
    kept_for: int | None = None
    kept_name: str = ""
    account: str = ""

    @property
    def is_former(self) -> bool:
        """Whether the seat was, or is kept for, a person's who was forgotten on demand."""
        return (self.person or self.kept_for or 0) < 0


EMPTY_SEAT: Final = SeatHolder("empty")


@dataclass(frozen=True, slots=True)
class Shuffle:
    """What is published of one deal's shuffle (`docs/shuffle.md`), enough to check the deal by itself.

    The commitment stands before the deal, `contributions` (in seat order) once it is dealt, and `seed` (hexadecimal)
    once it is scored; before that they are None.
    """

    deal: int
    commitment: str
    contributions: tuple[str, ...] | None = None
    seed: str | None = None


@dataclass(frozen=True, slots=True)
class ReplayedDeal:
    """A deal of a table whose cards are played again, and so are known."""

    table: int
    deal: int


@dataclass(frozen=True, slots=True)
class RollCall:
    """The persons in these seats are asked whether they are in, since that instant (UTC milliseconds)."""

    at: int
    seats: tuple[int, ...]
    fill: bool


@dataclass(frozen=True, slots=True)
class RecentEvent:
    """An event as everybody may see it, in the turn of the deal to which it belongs.

    Turns are counted from 0 in each deal. `seat` is the one that made the event, None where it was nobody's doing.
    """

    deal: int
    turn: int
    seat: int | None
    event: Event


@dataclass(frozen=True, slots=True)
class SeatTenure:
    """Who holds a seat from that turn of that deal on, until the next entry for the seat.

    Names of those who have left a table are kept here and nowhere else.
    """

    seat: int
    deal: int
    turn: int
    holder: SeatHolder


@dataclass(frozen=True, slots=True)
class HandLeft:
    """The cards a seat was left with when a deal ended, its foot included, and what they counted (below zero)."""

    seat: int
    cards: tuple[Card, ...]
    points: int


@dataclass(frozen=True, slots=True)
class DealLeftovers:
    """What a finished deal left behind beside its score: cards in hands, public from then on.

    `shown` is the seat that ended it with a special hand, and the hand's name; its cards are among those held.
    `canastas` are how many lay there then, by score; empty where that was not kept yet.
    """

    deal: int
    held: tuple[HandLeft, ...]
    shown: tuple[int, str] | None = None
    canastas: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DealSheet:
    """A finished deal: how it ended and was scored, who held the seats then, what was left in the hands.

    `left` is None where that was not kept yet when the deal ended.
    """

    result: DealEnded
    holders: tuple[SeatHolder, ...]
    left: DealLeftovers | None


@dataclass(frozen=True, slots=True)
class TableSnapshot:
    """What anybody may see of a table.

    `host` is the person who may start and close it. `view` is None in a lobby. `recent` is what happened in the running
    deal, or in the one that ended last, since the earliest of the last turns of its seats: whole turns, oldest first,
    without hidden cards and without what was taken back. `sat` tells who held the seats when, `left` what finished
    deals left in the hands. Instants are UTC milliseconds: `expires_at` closes a lobby (or a game that all persons have
    left), `next_deal_at` is when the next deal begins unless somebody begins it before. `rematch` is the table that
    followed this one.
    `rules` is the name of the rule set, `saved_as` the name that the server gave to the rules it saved, `terms` the
    rules that are played, `base` those the table was opened with, and `joined_terms` those that were to be played when
    the first guest of a lobby sat down. `proposal` is the question that the persons of a game are asked, open until
    `proposal_until`; `sought` are the seats for which substitutes are sought, until `sought_until`. `absence` is what
    is known of absent persons, `vote_until` when their vote is decided; `last_deal` tells that no deal follows the one
    in play. `clocks` is None where nobody's time is counted, `pause` where the game does not stand still; `conclusion`
    tells how a game ended that was not played to its end. `cards_of` is the deal whose cards the first deal here has.
    `wishes` are the persons who wait at a lobby to be let in by its host, `roll` are those who
    are asked before its game begins. `place_lost` is since when the channel of a game is gone. `contest` is the table's
    place in a tournament.
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
    closed_because: ClosedBecause | None
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
    place_lost: int | None = None
    contest: ContestTable | None = None

    def seat_of(self, person: int) -> int | None:
        """The seat that person holds."""
        return next((seat for seat, holder in enumerate(self.seats) if holder.person == person), None)

    @property
    def vote(self) -> Vote | None:
        """What the others decide about an absent person's seat."""
        return self.absence.vote

    @property
    def actor(self) -> SeatHolder | None:
        """Who holds the seat that is to act; None when no seat is."""
        return None if self.view is None or self.view.actor is None else self.seats[self.view.actor]

    @property
    def persons(self) -> tuple[int, ...]:
        """The persons seated, in seat order."""
        return tuple(holder.person for holder in self.seats if holder.person is not None)

    def holder_at(self, seat: int, deal: int, turn: int | None = None) -> SeatHolder:
        """Who held the seat in that turn of that deal, or without a turn at its end; who holds it, if not known."""
        holder = self.seats[seat]
        for one in self.sat:
            if one.seat == seat and (one.deal < deal or (one.deal == deal and (turn is None or one.turn <= turn))):
                holder = one.holder
        return holder

    def at_end_of(self, deal: int) -> TableSnapshot:
        """The table with those in its seats who held them when that deal ended."""
        return replace(self, seats=tuple(self.holder_at(seat, deal) for seat in range(len(self.seats))))

    @property
    def sheets(self) -> tuple[DealSheet, ...]:
        """The finished deals in order."""
        left = {one.deal: one for one in self.left}
        results = () if self.view is None else self.view.results
        return tuple(DealSheet(result, self.at_end_of(result.deal).seats, left.get(result.deal)) for result in results)

    def sheet(self, deal: int) -> DealSheet | None:
        """That deal, if it is finished."""
        return next((sheet for sheet in self.sheets if sheet.result.deal == deal), None)

    @property
    def paused(self) -> bool:
        """Whether a game rests because all persons have left it.

        Its last deal is played to the end all the same, and so is a match of a tournament.
        """
        goes_on = self.last_deal or self.contest is not None
        return self.status is Status.PLAYING and not self.persons and not goes_on

    @property
    def awaited(self) -> tuple[int, ...]:
        """The persons who have not answered yet what is proposed, in seat order."""
        return awaited(self.proposal, [holder.person for holder in self.seats], self.terms)

    @property
    def winner(self) -> int | None:
        """The side that has won, by the rules or because the game came to an end before; None where none has."""
        if self.conclusion is not None:
            return self.conclusion.winner
        return None if self.view is None else self.view.winner

    @property
    def is_full(self) -> bool:
        """Whether every seat is held."""
        return all(holder.kind != "empty" for holder in self.seats)


@dataclass(frozen=True, slots=True)
class SeatSnapshot:
    """What the person in a seat may see: the table and, once the game has started, the seat's own view.

    `drawn` are the cards that came to the hand since it was dealt, in the order they came; those that have left it
    again may be among them. `offers` are what the seat is offered beside its legal steps (`bot.tables.advice`);
    computer players are offered nothing. `premove` is what the person there has prepared for their own next turn, and
    what has become of it.
    """

    table: TableSnapshot
    seat: int
    view: SeatView | None = field(repr=False)
    drawn: tuple[Card, ...] = field(default=(), repr=False)
    offers: Offers = field(default=NOTHING, repr=False)
    premove: Premove | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class ActionResult:
    """What an accepted action came to: the seat's fresh look and the events, as that seat may see them.

    `repeated` tells that this very request had been served before; nothing happened a second time.
    """

    look: SeatSnapshot
    events: tuple[Event, ...] = field(repr=False)
    repeated: bool


@dataclass(frozen=True, slots=True)
class TableChanged:
    """A table changed, and the change is stored.

    `due` is the earliest deadline it set, UTC milliseconds. `contest` are the numbers of the tournament and of the
    match that the table belongs to, None elsewhere. `rated` tells that a game has ended with it which is to be rated.
    """

    table: int
    version: int
    kind: str
    due: int | None
    contest: tuple[int, int] | None = None
    rated: bool = False


@dataclass(frozen=True, slots=True)
class BoardMessage:
    """The message that shows a table, where it is, which version it shows and when it was posted (UTC milliseconds).

    `told` notes who has been told of which turn (`cogs.shared.posting.mentions`).
    """

    table: int
    channel: int
    message: int
    version: int
    posted_at: int
    told: str = ""


@dataclass(frozen=True, slots=True)
class TableRef:
    """An open table's number, its version, and where it lives."""

    id: int
    version: int
    guild: int
    channel: int
    thread: int | None


def whereabouts_of(summary: TableSummary) -> TableRef:
    """Where a stored table lives."""
    return TableRef(summary.id, summary.version, summary.guild, summary.channel, summary.thread)
