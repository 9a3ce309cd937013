"""The whole state of a game: everything that is true at the table, hidden cards included.

Only the engine, the services and the store may hold one; everybody else gets a view (`bot.engine.table.views`).
A state is a value: `bot.engine.table.evolve` copies it shallowly and writes to the copy, so states share what has not
changed. Nothing else ever writes to one.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.engine.cards.cards import Card
from bot.engine.cards.counts import Counts, pack_hand, tally
from bot.engine.cards.places import Place
from bot.engine.cards.values import value
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
    """One thing laid in this turn that may still be taken back, with the turn's record as it was before it.

    `top` is the pile's top card when the laying took it; `opened` tells that this very laying opened the side;
    `before` are the side's melds before two of them were laid together, where that is what was done; `exposed` those
    of the cards that were penalty cards.
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


@dataclass(eq=True)
class State:
    """One game.

    By seat: `hands` and `feet` (cards in ascending order; an empty foot has been taken up, and there are no feet at all
    where the rules have none). By side of the seating: `melds` (in the order they were begun) and `opened`. By score
    (`RuleSet.side_of`): `scores` (totals before the deal that is being played), `red_threes` (the threes laid out,
    black ones too where both colours are) and `set_aside` (black threes out of play, where the rules want that).
    By seat also `talons`: cards set aside for its next turn; none at all where the rules have no talon.
    `stock` holds the cards left, first drawn last: its end is the top, so that drawing is a slice. `pile` runs
    from bottom to top; so many of its cards from the bottom as `hidden` says lie face down. `shuffle_key` orders the
    next stock where the pile is shuffled again (`bot.engine.cards.shuffling`). `streams` says by
    seat how many cards its own stream had as the turn began, empty where all draw from one stock
    (`bot.engine.cards.streams`).

    The turn's own record: `drew` is None, ``"stock"`` or ``"pile"``; `fresh` the cards that came to hand in it;
    `laid` what may still be taken back; `laid_points` the points laid by a side that had not opened; `aside` that
    the pile's top is melded and the rest waits for the initial meld, `claimed` at which place that top is;
    `started` and `joined` which melds the seat began and whether it added to one that lay there before;
    `permission` the partner's answer, or that the seat has announced that it goes out; `lapsed` that it has said so and
    turned out to be unable; `canastas_before` how many canastas the side had before this turn, where there are feet.
    `ready` tells that the canastas for going out lay there as the turn began, true where that does not matter.
    `froze` tells that a discard has frozen the pile in this deal; `asked` are the seats that have asked their partners
    in it, where one asks once; `takers` those that have taken the pile in it, where it is frozen for the others.
    `shown` is the seat that has shown a special hand, and its name; else None.
    `melded_seats` are those that had melded in this deal before this turn; `stock_out` is the seat that drew the last
    card of the stock; `alone` is the one that plays alone in cut-throat, once that is settled. `penalties` are what
    irregularities have cost in this deal, None where there were none.

    No field has a default: Python 3.11 reads an attribute slowly that its class has too.

    What is asked at every step follows from the rest and is carried along: `packed` how many of each kind each hand
    holds, `spreads` each side's melds by rank, `seating` who plays for whom in the deal that runs or ran last, `side`
    for which side the seat in turn does.
    """

    rules: RuleSet
    scores: tuple[int, ...]
    dealer: int
    phase: Phase
    deal: int
    turn: int
    turns: int
    hands: tuple[tuple[Card, ...], ...]
    feet: tuple[tuple[Card, ...], ...]
    talons: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]
    pile: tuple[Card, ...]
    hidden: int
    frozen: bool
    froze: bool
    melds: tuple[tuple[TableMeld, ...], ...]
    red_threes: tuple[tuple[Card, ...], ...]
    set_aside: tuple[tuple[Card, ...], ...]
    opened: tuple[bool, ...]
    melded_seats: frozenset[int]
    asked: frozenset[int]
    takers: frozenset[int]
    drew: str | None
    fresh: tuple[Card, ...]
    laid: tuple[Laid, ...]
    laid_points: int
    aside: bool
    claimed: Place | None
    started: frozenset[Place]
    joined: bool
    permission: bool | None
    asked_in: Phase | None
    lapsed: bool
    results: tuple[DealEnded, ...]
    winner: int | None
    stock_out: int | None
    shown: tuple[int, str] | None
    canastas_before: int
    ready: bool
    alone: int | None
    shuffle_key: str
    penalties: Penalties | None
    streams: tuple[int, ...]
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
        """By seat, how many cards of each held kind."""
        return tuple(tuple(tally(packed)) for packed in self.packed)


def new_game(rules: RuleSet, *, dealer: int, scores: tuple[int, ...] | None = None) -> State:
    """A game before its first deal, which `dealer` will deal, or the last who plays where that seat rests."""
    seats = seating_of(rules.teams, rules.players, 1).seats
    return State(
        rules=rules,
        scores=scores or (0,) * rules.sides,
        dealer=dealer if dealer in seats else seats[-1],
        phase=phases.BETWEEN,
        deal=0,
        turn=0,
        turns=0,
        hands=(),
        feet=(),
        talons=(),
        stock=(),
        pile=(),
        hidden=0,
        frozen=False,
        froze=False,
        melds=(),
        red_threes=(),
        set_aside=(),
        opened=(),
        melded_seats=frozenset(),
        asked=frozenset(),
        takers=frozenset(),
        drew=None,
        fresh=(),
        laid=(),
        laid_points=0,
        aside=False,
        claimed=None,
        started=frozenset(),
        joined=False,
        permission=None,
        asked_in=None,
        lapsed=False,
        results=(),
        winner=None,
        stock_out=None,
        shown=None,
        canastas_before=0,
        ready=True,
        alone=None,
        shuffle_key="",
        penalties=None,
        streams=(),
    )


def actor(state: State) -> int | None:
    """The seat that is to act, or None when no deal is being played."""
    phase = state.phase
    if phase is phases.DRAW or phase is phases.PLAY:
        return state.turn
    return state.seating.partner_by_seat[state.turn] if phase is phases.ANSWER else None
