"""Views: what someone may see, built from what that person may see and never by deleting from the state.

`bot.engine.play.viewing`, which alone knows the state, builds them. A `PublicView` can be shown to anybody. A
`SeatView` adds what its seat holds and may do. Two states that differ only in cards hidden from a viewer give that
viewer equal views.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal

from bot.engine.cards.cards import ACE, Card, is_wild, value
from bot.engine.cards.places import WILD_MELD, AtPlace, Family, Place, run_of
from bot.engine.moves.actions import Step
from bot.engine.moves.events import (
    CameToHand,
    DealEnded,
    DealStarted,
    Event,
    Gathered,
    Reshuffled,
    SetTalon,
)
from bot.engine.moves.phases import Phase
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.seating import seating_of
from bot.engine.rules.topics import InitialCanasta


@value
class MeldView(AtPlace):
    """A meld on the table; `canasta` is what it is called as a canasta, None while it has too few cards."""

    place: Place
    cards: tuple[Card, ...]
    naturals: int
    wilds: int
    canasta: Literal["natural", "mixed", "wild", "run"] | None

    @property
    def size(self) -> int:
        """How many cards lie in it."""
        return len(self.cards)


@value
class SeatInfo:
    """What everybody knows of a seat: the side it plays for, how many cards it holds, whether it rests in this deal.

    - `foot`: how many cards its foot has, face down; 0 once it is taken up, None where the rules have no feet.
    - `talon`: how many cards are set aside for its next turn.
    - `exposed`: the cards of its hand that lie open as penalty cards.
    - `frozen`: whether the pile is frozen for it until it has taken it in this deal.
    """

    seat: int
    side: int
    cards: int
    foot: int | None = None
    resting: bool = False
    exposed: tuple[Card, ...] = ()
    talon: int = 0
    frozen: bool = False

    @property
    def waiting(self) -> int:
        """How many cards lie face down for it: its foot, or what is set aside for its next turn."""
        return (self.foot or 0) + self.talon


@value
class SideView:
    """What everybody knows of a side. Points throughout.

    - `seats`: those that play for it in this deal.
    - `score`: its total before this deal; `own_scores`, by `seats`, where partners keep a score each (cut-throat). Then
      `score` is that of the first.
    - `on_table`: what its melds, canastas and threes would count if the deal were scored now, cards in hands left out.
      In cut-throat threes are left out too, since they count for their owners alone.
    - `minimum`: the points its initial meld needs, raised by `raised` through irregularities. In cut-throat it goes by
      the score of the seat that looks, else of the seat in turn. `canasta` is what canasta the initial meld has to
      hold.
    - `penalties`: what irregularities cost it in this deal.
    - `red_threes`: the threes laid out, black ones too where both colours are; `set_aside` are black threes out of
      play.
    """

    side: int
    seats: tuple[int, ...]
    score: int
    on_table: int
    opened: bool
    minimum: int
    melds: tuple[MeldView, ...]
    red_threes: tuple[Card, ...]
    canastas: int
    own_scores: tuple[int, ...] = ()
    set_aside: tuple[Card, ...] = ()
    raised: int = 0
    penalties: int = 0
    canasta: InitialCanasta = "none"

    def has_canasta(self, size: int, staged: Iterable[tuple[Card, ...]] = ()) -> bool:
        """Return whether the canasta that the initial meld has to hold lies there, or is put together by these cards.

        `size` is that of a canasta. Cards put together count with what lies there of their rank; those of a run with
        what lies there of their suit.
        """
        if self.canasta == "none":
            return True
        found: dict[int, list[Card]] = {}
        for cards in (*(meld.cards for meld in self.melds), *staged):
            found.setdefault(_family(cards), []).extend(cards)
        return any(
            len(cards) >= size
            and (self.canasta == "canasta" or not (family <= ACE and any(is_wild(card >> 2) for card in cards)))
            for family, cards in found.items()
        )

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of the side, or in cut-throat those of its seats."""
        return self.own_scores or (self.score,)


def _family(cards: tuple[Card, ...]) -> Family:
    """What kind of meld these cards make: of their rank, of their suit in order, or of wild cards."""
    naturals = [card for card in cards if not is_wild(card >> 2)]
    ranks = {card >> 2 for card in naturals}
    return WILD_MELD if not naturals else ranks.pop() if len(ranks) == 1 else run_of(naturals[0] & 3)


@value
class Total:
    """One score of the game before this deal, and the seats that share it, resting ones included."""

    seats: tuple[int, ...]
    score: int


@value
class PileView:
    """The discard pile: how many cards, the top one, and the lowest card that froze it, which lies crosswise.

    `aside` tells that its top is laid and the rest waits for the initial meld; then `top` is None. The lowest `hidden`
    cards lie face down. `closed` tells that the seat in turn could not take the pile whatever it held.
    """

    cards: int
    top: Card | None
    frozen: bool
    freezer: Card | None
    aside: bool
    hidden: int = 0
    closed: bool = False


@value
class PublicView:
    """What everybody at the table sees.

    - `actor`: the seat that is to act; None between deals.
    - `playing`: the seats that play in this deal, in playing order.
    - `sides`: the sides they make; in cut-throat they may be fewer than the scores. `alone` is the seat that plays
      alone there, once that is settled.
    - `totals`: the scores, by the numbers that results and `winner` go by.
    - `ready`: false where going out fails because its canastas did not lie there as the turn began.
    - `laying`: false once nothing more is laid in this turn.
    """

    rules: RuleSet
    deal: int
    dealer: int
    phase: Phase
    turn: int
    turns: int
    actor: int | None
    drew: str | None
    permission: bool | None
    stock: int
    pile: PileView
    sides: tuple[SideView, ...]
    seats: tuple[SeatInfo, ...]
    results: tuple[DealEnded, ...]
    winner: int | None
    playing: tuple[int, ...]
    totals: tuple[Total, ...]
    alone: int | None = None
    ready: bool = True
    laying: bool = True

    def frozen_for(self, seat: int) -> bool:
        """Return whether the pile is frozen for that seat, so that only naturals take it."""
        info = self.seats[seat]
        unopened = self.rules.frozen_unopened and not self.sides[info.side].opened
        return self.pile.frozen or info.frozen or unopened

    @property
    def resting(self) -> tuple[int, ...]:
        """The seats that do not play in this deal."""
        return tuple(info.seat for info in self.seats if info.resting)

    @property
    def resting_next(self) -> tuple[int, ...]:
        """The seats that do not play in the next deal."""
        playing = seating_of(self.rules.teams, self.rules.players, self.deal + 1).seats
        return tuple(info.seat for info in self.seats if info.seat not in playing)


@value
class SeatView:
    """What one seat sees: the table, its own hand, and what it may do now.

    - `fresh`: the cards that came to this hand in the running turn.
    - `hand_points`: what the hand would count against its side.
    - `legal`: the steps open to it, in the fixed order of `legal_actions`.
    - `laid_points`: what it has laid towards the initial meld in this turn.
    - `can_take_back`: whether the last thing laid may go back.
    - `must_say`: what it still has to say in its own turn before it goes out: ask its partner, or announce it. Whether
      it may say so now is told by `legal`.
    """

    table: PublicView
    seat: int
    hand: tuple[Card, ...]
    fresh: tuple[Card, ...]
    hand_points: int
    legal: tuple[Step, ...]
    laid_points: int
    can_take_back: bool
    must_say: Literal["", "ask", "announce"] = ""

    @property
    def side(self) -> SideView:
        """The seat's own side."""
        return self.table.sides[self.table.seats[self.seat].side]

    @property
    def talon(self) -> int:
        """How many cards are set aside for the seat's next turn."""
        return self.table.seats[self.seat].talon

    @property
    def foot(self) -> int | None:
        """How many cards the seat's own foot has; 0 once it is taken up, None where the rules have no feet."""
        return self.table.seats[self.seat].foot

    @property
    def resting(self) -> bool:
        """Whether the seat does not play in a deal that runs."""
        return self.table.phase in (Phase.DRAW, Phase.PLAY, Phase.ANSWER) and self.table.seats[self.seat].resting

    @property
    def to_act(self) -> bool:
        """Whether this seat is to act."""
        return self.table.actor == self.seat


def public_event(event: Event) -> Event:
    """Return the event without what only its seat may know: drawn cards and the order of the pack are taken out."""
    if isinstance(event, CameToHand | Reshuffled | SetTalon):
        return replace(event, cards=())
    if isinstance(event, Gathered):
        return replace(event, hidden=())
    if isinstance(event, DealStarted):
        return DealStarted(event.deal, event.dealer, ())
    return event
