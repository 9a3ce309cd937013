"""The whole state of a game: everything that is true at the table, including hidden cards.

Only the engine, the services and the store may hold a state; everybody else gets a view (`bot.engine.table.views`). A
state is never changed: `bot.engine.table.applying_events` copies it shallowly and writes to the copy, so states share
their unchanged parts.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.engine.cards.cards import Card, value_class
from bot.engine.cards.meld_places import Place
from bot.engine.cards.packed_counts import Counts, numbers_by_kind, pack_hand
from bot.engine.melds.side_melds import Spread, spread_of
from bot.engine.melds.table_meld import TableMeld
from bot.engine.moves import phases
from bot.engine.moves.events import DealEnded
from bot.engine.moves.phases import Phase
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.seating import Seating, seating_of
from bot.engine.table.charged_penalties import Penalties


@value_class
class Laid:
    """Cards laid in this turn that may still be taken back, with the turn's earlier record.

    `top` is the pile's top card if it was melded too. `opened` says that the side opened with this. `before` holds the
    side's melds if two of them were merged, else it is empty. `exposed` are those of the cards that were penalty cards.
    """

    place: Place
    cards: tuple[Card, ...]
    top: Card | None
    opened: bool
    laid_points: int
    started: frozenset[Place]
    joined: bool
    before: tuple[TableMeld, ...] = ()
    exposed: tuple[Card, ...] = ()


def _none_before_first_deal() -> None:
    """Return None, the initial value of fields that have no value before the first deal."""


@dataclass(eq=True)
class State:
    """The state of one game at one moment, hidden cards included.

    By seat: `hands`, `feet` and `talons`, cards in ascending order. An empty foot has been picked up; `feet` is empty
    where the rules have none, and `talons`, the cards set aside for a seat's next turn, likewise.

    By side of the seating: `melds`, in the order in which they were begun, and `opened`.

    By score (`RuleSet.side_of`): `scores`, the totals before this deal; `red_threes`, the threes laid out, black ones
    too where both colours are; `set_aside`, black threes out of play.

    Stock and pile:

    - `stock`: the cards left; its end is the top, so that drawing is a slice.
    - `pile`: from bottom to top; the lowest `hidden` cards lie face down.
    - `frozen`: whether the pile is frozen for everybody; `froze` tells that a discard has frozen one in this deal.
    - `takers`: the seats that have taken the pile in this deal, where it is frozen for the others.
    - `stock_out`: the seat that drew the last card of the stock.
    - `shuffle_key`: the key of the next reshuffle of the pile (`bot.engine.cards.shuffling`).
    - `streams`: by seat, how many cards its own stream had as the turn began; empty where all draw from one stock
      (`bot.engine.cards.shuffling`).

    The current turn:

    - `drew`: None, ``"stock"`` or ``"pile"``; `fresh` holds the cards that came to the hand in this turn.
    - `laid`: cards that may be taken back; `laid_points` are the points laid by a side that had not opened.
    - `aside`: the pile's top is laid at the place `claimed`, and the rest of the pile waits for the initial meld.
    - `started` and `joined`: which melds the seat began, and whether it added to one that lay there before.
    - `permission`: the partner's answer, or True for a seat that has announced that it goes out; `asked_in` is the
      phase in which it asked.
    - `lapsed`: the seat asked or announced in this turn, but is not bound by it: it proved unable to go out, it
      paid for staying in, or a yes does not bind in these rules.
    - `canastas_before`: how many canastas the side had before this turn, if the rules have feet.
    - `ready`: the canastas for going out were there when the turn began; true where that does not matter.

    The current deal:

    - `melded_seats`: the seats that had melded before this turn.
    - `asked`: the seats that have asked their partners, where a seat may ask once per deal.
    - `shown`: the seat that has shown a special hand, and the name of the hand; else None.
    - `alone`: the seat that plays alone in cut-throat, once that is known.
    - `penalties`: penalties for irregularities; None if there were none.

    Some fields follow from the others and are stored because they are read at every step: `packed`, how
    many cards of each kind each hand holds; `spreads`, each side's melds by place; `seating`, who plays for whom in
    this deal or the last one; `side`, the side of the seat in turn.

    Initial values come from factories, not defaults: a default is an attribute of the class too, and
    Python 3.11 is slow to read an attribute that both the class and the object have.
    """

    rules: RuleSet
    scores: tuple[int, ...]
    dealer: int
    phase: Phase
    deal: int = field(default_factory=int)
    turn: int = field(default_factory=int)
    turns: int = field(default_factory=int)
    hands: tuple[tuple[Card, ...], ...] = field(default_factory=tuple)
    feet: tuple[tuple[Card, ...], ...] = field(default_factory=tuple)
    talons: tuple[tuple[Card, ...], ...] = field(default_factory=tuple)
    stock: tuple[Card, ...] = field(default_factory=tuple)
    pile: tuple[Card, ...] = field(default_factory=tuple)
    hidden: int = field(default_factory=int)
    frozen: bool = field(default_factory=bool)
    froze: bool = field(default_factory=bool)
    melds: tuple[tuple[TableMeld, ...], ...] = field(default_factory=tuple)
    red_threes: tuple[tuple[Card, ...], ...] = field(default_factory=tuple)
    set_aside: tuple[tuple[Card, ...], ...] = field(default_factory=tuple)
    opened: tuple[bool, ...] = field(default_factory=tuple)
    melded_seats: frozenset[int] = field(default_factory=frozenset)
    asked: frozenset[int] = field(default_factory=frozenset)
    takers: frozenset[int] = field(default_factory=frozenset)
    drew: str | None = field(default_factory=_none_before_first_deal)
    fresh: tuple[Card, ...] = field(default_factory=tuple)
    laid: tuple[Laid, ...] = field(default_factory=tuple)
    laid_points: int = field(default_factory=int)
    aside: bool = field(default_factory=bool)
    claimed: Place | None = field(default_factory=_none_before_first_deal)
    started: frozenset[Place] = field(default_factory=frozenset)
    joined: bool = field(default_factory=bool)
    permission: bool | None = field(default_factory=_none_before_first_deal)
    asked_in: Phase | None = field(default_factory=_none_before_first_deal)
    lapsed: bool = field(default_factory=bool)
    results: tuple[DealEnded, ...] = field(default_factory=tuple)
    winner: int | None = field(default_factory=_none_before_first_deal)
    stock_out: int | None = field(default_factory=_none_before_first_deal)
    shown: tuple[int, str] | None = field(default_factory=_none_before_first_deal)
    canastas_before: int = field(default_factory=int)
    ready: bool = field(default_factory=lambda: True)
    alone: int | None = field(default_factory=_none_before_first_deal)
    shuffle_key: str = field(default_factory=str)
    penalties: Penalties | None = field(default_factory=_none_before_first_deal)
    streams: tuple[int, ...] = field(default_factory=tuple)
    packed: tuple[Counts, ...] = field(init=False, compare=False, repr=False)
    spreads: tuple[Spread, ...] = field(init=False, compare=False, repr=False)
    seating: Seating = field(init=False, compare=False, repr=False)
    side: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        red_threes = self.rules.counts_red_threes
        self.packed = tuple([pack_hand(hand, red_threes=red_threes) for hand in self.hands])
        self.spreads = tuple([spread_of(self.rules, melds) for melds in self.melds])
        self.seating = seating_of(self.rules.teams, self.rules.players, max(1, self.deal), self.alone)
        self.side = self.seating.side_by_seat[self.turn]
        # `evolve` copies this dictionary for every new state. Attributes are read faster from a dictionary that does
        # not share its keys with other objects, so it is replaced by one of its own; the copies keep that form.
        self.__dict__ = dict(self.__dict__)

    @property
    def counts(self) -> tuple[tuple[int, ...], ...]:
        """The number of cards of each kind in each hand, indexed by seat and kind."""
        return tuple(tuple(numbers_by_kind(packed)) for packed in self.packed)


def new_game(rules: RuleSet, *, dealer: int, scores: tuple[int, ...] | None = None) -> State:
    """Return a game before its first deal.

    `dealer` will deal it; if that seat rests, the last seat that plays does.
    """
    seats = seating_of(rules.teams, rules.players, 1).seats
    return State(
        rules=rules,
        scores=scores or (0,) * rules.sides,
        dealer=dealer if dealer in seats else seats[-1],
        phase=phases.BETWEEN,
    )


def seat_to_act(state: State) -> int | None:
    """Return the seat that must act, or None between deals."""
    phase = state.phase
    if phase is phases.DRAW or phase is phases.PLAY:
        return state.turn
    return state.seating.partner_by_seat[state.turn] if phase is phases.ANSWER else None
