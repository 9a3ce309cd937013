"""Views: the information that one viewer may have.

A view is built up from allowed parts, never made by deleting from the state (`bot.engine.play.building_views`). A
`PublicView` can be shown to anybody. A `SeatView` adds the hand and the options of its seat. Two states that differ
only in cards hidden from a viewer give that viewer equal views.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal

from bot.engine.cards.cards import ACE, Card, is_wild, value_class
from bot.engine.cards.meld_places import WILD_MELD, AtPlace, Family, Place, run_place
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
from bot.engine.rules.parameter_declarations import InitialCanasta
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.seating import seating_of


@value_class
class MeldView(AtPlace):
    """A meld on the table; `canasta` is its sort of canasta, or None while it has too few cards."""

    place: Place
    cards: tuple[Card, ...]
    naturals: int
    wilds: int
    canasta: Literal["natural", "mixed", "wild", "run"] | None

    @property
    def size(self) -> int:
        """The number of cards in the meld."""
        return len(self.cards)


@value_class
class SeatInfo:
    """Public information about a seat: its side, number of cards, whether it rests in this deal.

    - `foot`: the number of cards in its face-down foot; 0 after it is picked up, None if the rules have no feet.
    - `talon`: the number of cards set aside for its next turn.
    - `exposed`: its penalty cards, which lie open.
    - `frozen`: whether the pile is frozen for it because it has not taken the pile in this deal.
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
    def face_down_cards(self) -> int:
        """The number of face-down cards waiting for it: its foot, or its talon."""
        return (self.foot or 0) + self.talon


@value_class
class SideView:
    """Public information about a side. All values in points.

    - `seats`: those that play for it in this deal.
    - `score`: its total before this deal; `own_scores`, in the order of `seats`, if partners have a score each
      (cut-throat). Then `score` is that of the first.
    - `on_table`: the points of its melds, canastas and threes if the deal were scored now, without cards in hands. In
      cut-throat without threes too, since they count for single seats.
    - `minimum`: the points its initial meld needs, including `raised` for irregularities. In cut-throat it follows the
      score of the viewing seat, else of the seat in turn. `canasta` is the canasta required in the initial meld.
    - `penalties`: the points lost for irregularities in this deal.
    - `red_threes`: the threes laid out, of both colours if both are bonus cards; `set_aside` are black threes out of
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
        """Return whether the canasta required for the initial meld is on the table or in `staged`.

        `size` is that of a canasta. Staged cards count together with the side's melds of their rank or, for runs, suit.
        """
        if self.canasta == "none":
            return True
        found: dict[int, list[Card]] = {}
        for cards in (*(meld.cards for meld in self.melds), *staged):
            found.setdefault(_family_of_cards(cards), []).extend(cards)
        return any(
            len(cards) >= size
            and (self.canasta == "canasta" or not (family <= ACE and any(is_wild(card >> 2) for card in cards)))
            for family, cards in found.items()
        )

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of the side, or in cut-throat those of its seats."""
        return self.own_scores or (self.score,)


def _family_of_cards(cards: tuple[Card, ...]) -> Family:
    """Return the family of the meld that these cards form: a rank, a run of their suit, or wild cards."""
    naturals = [card for card in cards if not is_wild(card >> 2)]
    ranks = {card >> 2 for card in naturals}
    return WILD_MELD if not naturals else ranks.pop() if len(ranks) == 1 else run_place(naturals[0] & 3)


@value_class
class ScoreTotal:
    """A score of the game before this deal, and the seats that share it, including resting ones."""

    seats: tuple[int, ...]
    score: int


@value_class
class PileView:
    """The discard pile: its size, top card, and the lowest card that froze it, which lies crosswise.

    `aside` says that its top is melded and the rest waits for the initial meld; then `top` is None. The lowest `hidden`
    cards lie face down. `closed` says that the seat in turn could not take the pile with any hand.
    """

    cards: int
    top: Card | None
    frozen: bool
    freezer: Card | None
    aside: bool
    hidden: int = 0
    closed: bool = False


@value_class
class PublicView:
    """The information that all players at the table have.

    - `actor`: the seat that must act; None between deals.
    - `playing`: the seats that play in this deal, in playing order.
    - `sides`: their sides; in cut-throat they may be fewer than the scores. `alone` is the seat that plays alone there,
      once known.
    - `totals`: the scores, in the order used by results and `winner`.
    - `ready`: false if going out is forbidden because the canastas for it were not there when the turn began.
    - `laying`: false if no more melding is allowed in this turn.
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
    totals: tuple[ScoreTotal, ...]
    alone: int | None = None
    ready: bool = True
    laying: bool = True

    def is_frozen_for(self, seat: int) -> bool:
        """Return whether the pile is frozen for that seat, so that only naturals can take it."""
        info = self.seats[seat]
        unopened = self.rules.frozen_unopened and not self.sides[info.side].opened
        return self.pile.frozen or info.frozen or unopened

    @property
    def resting_seats(self) -> tuple[int, ...]:
        """The seats that do not play in this deal."""
        return tuple(info.seat for info in self.seats if info.resting)

    @property
    def seats_resting_next(self) -> tuple[int, ...]:
        """The seats that do not play in the next deal."""
        playing = seating_of(self.rules.teams, self.rules.players, self.deal + 1).seats
        return tuple(info.seat for info in self.seats if info.seat not in playing)


@value_class
class SeatView:
    """The information of one seat: the table, its hand, and its options.

    - `fresh`: the cards that came to this hand in the current turn.
    - `hand_points`: the points of the hand, which count against its side.
    - `legal`: the legal steps, in the fixed order of `legal_actions`.
    - `laid_points`: the points laid towards the initial meld in this turn.
    - `can_take_back`: whether the last cards laid may be taken back.
    - `must_say`: ``"ask"`` or ``"announce"`` if the seat must ask its partner, or announce going out, before it goes
      out. `legal` says whether it may do so now.
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
    def talon_size(self) -> int:
        """The number of cards set aside for the seat's next turn."""
        return self.table.seats[self.seat].talon

    @property
    def foot_size(self) -> int | None:
        """The number of cards in the seat's foot; 0 after it is picked up, None without feet."""
        return self.table.seats[self.seat].foot

    @property
    def is_resting(self) -> bool:
        """Whether the seat does not play in the current deal."""
        return self.table.phase in (Phase.DRAW, Phase.PLAY, Phase.ANSWER) and self.table.seats[self.seat].resting

    @property
    def must_act(self) -> bool:
        """Whether this seat must act."""
        return self.table.actor == self.seat


def public_event(event: Event) -> Event:
    """Return the event without drawn cards, hidden cards and the order of the pack."""
    if isinstance(event, CameToHand | Reshuffled | SetTalon):
        return replace(event, cards=())
    if isinstance(event, Gathered):
        return replace(event, hidden=())
    if isinstance(event, DealStarted):
        return DealStarted(event.deal, event.dealer, ())
    return event
