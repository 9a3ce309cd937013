"""The whole state of a game: everything that is true at the table, hidden cards included.

Only the engine, the services and the store may hold one; everybody else gets a view (`bot.engine.views`).
A state is a value: `bot.engine.evolve` copies it shallowly and writes to the copy, so states share what has not
changed. Nothing else ever writes to one.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.engine.cards import Card, Kind
from bot.engine.events import DealEnded
from bot.engine.phases import Phase
from bot.engine.rules import RuleSet
from bot.engine.values import value


@value
class TableMeld:
    """A meld on the table: its rank, how it is made up, and its cards in ascending order."""

    kind: Kind
    naturals: int
    wilds: int
    cards: tuple[Card, ...]

    @property
    def size(self) -> int:
        """How many cards lie in it."""
        return len(self.cards)


@value
class Laid:
    """One thing laid in this turn that may still be taken back, with the turn's record as it was before it.

    `top` is the pile's top card when the laying took it; `opened` tells that this very laying opened the side.
    """

    kind: Kind
    cards: tuple[Card, ...]
    top: Card | None
    opened: bool
    laid_points: int
    started_kinds: frozenset[Kind]
    joined: bool


@dataclass(eq=True)
class State:
    """One game.

    By seat: `hands` (cards in ascending order) and `counts` (how many of each held kind). By side: `melds` (in the
    order they were begun), `red_threes`, `opened`, `scores` (totals before the deal that is being played).
    `stock` holds the cards left, first drawn last: its end is the top, so that drawing is a slice. `pile` runs
    from bottom to top.

    The turn's own record: `drew` is None, ``"stock"`` or ``"pile"``; `fresh` the cards that came to hand in it;
    `laid` what may still be taken back; `laid_points` the points laid by a side that had not opened; `aside` that
    the pile's top is melded and the rest waits for the initial meld; `started_kinds` and `joined` which melds the
    seat began and whether it added to one that lay there before; `permission` the partner's answer.
    `melded_seats` are those that had melded in this deal before this turn.
    """

    rules: RuleSet
    scores: tuple[int, ...]
    dealer: int
    phase: Phase = Phase.BETWEEN
    deal: int = 0
    turn: int = 0
    turns: int = 0
    hands: tuple[tuple[Card, ...], ...] = ()
    counts: tuple[tuple[int, ...], ...] = ()
    stock: tuple[Card, ...] = ()
    pile: tuple[Card, ...] = ()
    frozen: bool = False
    melds: tuple[tuple[TableMeld, ...], ...] = ()
    red_threes: tuple[tuple[Card, ...], ...] = ()
    opened: tuple[bool, ...] = ()
    melded_seats: frozenset[int] = frozenset()
    drew: str | None = None
    fresh: tuple[Card, ...] = ()
    laid: tuple[Laid, ...] = ()
    laid_points: int = 0
    aside: bool = False
    started_kinds: frozenset[Kind] = frozenset()
    joined: bool = False
    permission: bool | None = None
    asked_in: Phase | None = None
    results: tuple[DealEnded, ...] = field(default=())
    winner: int | None = None


def new_game(rules: RuleSet, *, dealer: int, scores: tuple[int, ...] | None = None) -> State:
    """A game before its first deal, which `dealer` will deal."""
    return State(rules=rules, scores=scores or (0,) * rules.sides, dealer=dealer)


def actor(state: State) -> int | None:
    """The seat that is to act, or None when no deal is being played."""
    if state.phase is Phase.DRAW or state.phase is Phase.PLAY:
        return state.turn
    return state.rules.partner_of(state.turn) if state.phase is Phase.ANSWER else None
