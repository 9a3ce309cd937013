"""The whole state of a game: everything that is true at the table, hidden cards included.

Only the engine, the services and the store may hold a state; everybody else gets a view (`bot.engine.table.views`). A
state is a value: `bot.engine.table.evolve` copies it shallowly and writes to the copy, so states share what has not
changed, and nobody else writes to one.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.engine.cards.cards import Card, value
from bot.engine.cards.counts import Counts, pack_hand, tally
from bot.engine.cards.places import Place
from bot.engine.melds.melds import TableMeld
from bot.engine.melds.spread import Spread, spread_of
from bot.engine.moves import phases
from bot.engine.moves.events import DealEnded
from bot.engine.moves.phases import Phase
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.seating import Seating, seating_of
from bot.engine.table.penalties import Penalties


@value
class Laid:
    """One thing laid in this turn that may still be taken back, with the turn's record as it was before.

    `top` is the pile's top card where it was laid too. `opened` tells that the side opened with this. `before` are the
    side's melds where two of them were laid together, else empty. `exposed` are those of the cards that were penalty
    cards.
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


def _nothing() -> None:
    """None, as the first value of a field of which nothing can be said before the first deal."""


@dataclass(eq=True)
class State:
    """One game.

    By seat: `hands`, `feet` and `talons`, cards in ascending order. An empty foot has been taken up; `feet` is empty
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
    - `shuffle_key`: what orders the next stock where the pile is shuffled again (`bot.engine.cards.shuffling`).
    - `streams`: by seat, how many cards its own stream had as the turn began; empty where all draw from one stock
      (`bot.engine.cards.shuffling`).

    The turn's own record:

    - `drew`: None, ``"stock"`` or ``"pile"``; `fresh` are the cards that came to the hand in this turn.
    - `laid`: what may still be taken back; `laid_points` are the points laid by a side that had not opened.
    - `aside`: the pile's top is laid at the place `claimed`, and the rest of the pile waits for the initial meld.
    - `started` and `joined`: which melds the seat began, and whether it added to one that lay there before.
    - `permission`: the partner's answer, or True for a seat that has announced that it goes out; `asked_in` is the
      phase in which it asked.
    - `lapsed`: the seat has asked or announced in this turn, and is not bound by it: it turned out to be unable, it has
      paid for staying in, or a yes binds nobody in these rules.
    - `canastas_before`: how many canastas the side had before this turn, where there are feet.
    - `ready`: the canastas for going out lay there as the turn began; true where that does not matter.

    The deal's own record:

    - `melded_seats`: the seats that had melded before this turn.
    - `asked`: the seats that have asked their partners, where one asks once a deal.
    - `shown`: the seat that has shown a special hand, and the name of the hand; else None.
    - `alone`: the seat that plays alone in cut-throat, once that is settled.
    - `penalties`: what irregularities have cost; None where there were none.

    Some fields follow from the others and are carried along, because they are asked for at every step: `packed`, how
    many cards of each kind each hand holds; `spreads`, each side's melds by place; `seating`, who plays for whom in
    this deal or the last one; `side`, the side of the seat in turn.

    First values are made by factories and not written as defaults: a default is an attribute of the class too, and
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
    drew: str | None = field(default_factory=_nothing)
    fresh: tuple[Card, ...] = field(default_factory=tuple)
    laid: tuple[Laid, ...] = field(default_factory=tuple)
    laid_points: int = field(default_factory=int)
    aside: bool = field(default_factory=bool)
    claimed: Place | None = field(default_factory=_nothing)
    started: frozenset[Place] = field(default_factory=frozenset)
    joined: bool = field(default_factory=bool)
    permission: bool | None = field(default_factory=_nothing)
    asked_in: Phase | None = field(default_factory=_nothing)
    lapsed: bool = field(default_factory=bool)
    results: tuple[DealEnded, ...] = field(default_factory=tuple)
    winner: int | None = field(default_factory=_nothing)
    stock_out: int | None = field(default_factory=_nothing)
    shown: tuple[int, str] | None = field(default_factory=_nothing)
    canastas_before: int = field(default_factory=int)
    ready: bool = field(default_factory=lambda: True)
    alone: int | None = field(default_factory=_nothing)
    shuffle_key: str = field(default_factory=str)
    penalties: Penalties | None = field(default_factory=_nothing)
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
        # A dictionary of its own, not one that shares its keys with other objects: its copies, which are what
        # `evolve` makes states of, keep that form, and only from that form are attributes read without a search.
        self.__dict__ = dict(self.__dict__)

    @property
    def counts(self) -> tuple[tuple[int, ...], ...]:
        """By seat, how many cards of each kind its hand holds."""
        return tuple(tuple(tally(packed)) for packed in self.packed)


def new_game(rules: RuleSet, *, dealer: int, scores: tuple[int, ...] | None = None) -> State:
    """Return a game before its first deal.

    `dealer` will deal it; where that seat rests, the last seat that plays does.
    """
    seats = seating_of(rules.teams, rules.players, 1).seats
    return State(
        rules=rules,
        scores=scores or (0,) * rules.sides,
        dealer=dealer if dealer in seats else seats[-1],
        phase=phases.BETWEEN,
    )


def actor(state: State) -> int | None:
    """Return the seat that is to act, or None when no deal is being played."""
    phase = state.phase
    if phase is phases.DRAW or phase is phases.PLAY:
        return state.turn
    return state.seating.partner_by_seat[state.turn] if phase is phases.ANSWER else None
