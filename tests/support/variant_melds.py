"""Legal melds in the variants, written from `docs/law/variants.md` and not from the engine.

It takes a rule set for the table of parameters in A.1, and reads nothing else of the engine.

Cards are written rank and suit (`9h`), jokers ``JK``; ``??`` is an unknown card from the stock. Each meld on the table
is a `LaidMeld` with a name chosen by the caller.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.engine.rules.rule_set import RuleSet

RANKS: Final = "456789TJQKA"
SUITS: Final = "shdc"
UNKNOWN: Final = "??"
VALUES: Final = {**dict.fromkeys("4567", 5), **dict.fromkeys("89TJQK", 10), "A": 20, "3": 5, "2": 20}

SET: Final = "set"
RUN: Final = "seq"
WILD: Final = "wild"
DEUCE: Final = "deuce"
BLACK: Final = "black"


@dataclass(frozen=True)
class LaidMeld:
    """A meld of the side in turn; `rank` is the suit if the meld is a run."""

    name: str
    kind: str
    rank: str
    cards: tuple[str, ...]

    @property
    def size(self) -> int:
        return len(self.cards)

    @property
    def wilds(self) -> int:
        """Return the number of wild cards: jokers, and twos unless they are a rank of their own (3.6)."""
        return sum(card == "JK" or (card[0] == "2" and self.kind != DEUCE) for card in self.cards)

    @property
    def naturals(self) -> int:
        return self.size - self.wilds

    @property
    def ends(self) -> tuple[int, int]:
        """Return the lowest and the highest rank of a run, as places in `RANKS`."""
        places = [RANKS.index(card[0]) for card in self.cards]
        return min(places), max(places)


@dataclass(frozen=True)
class Position:
    """All that the seat in turn needs to know.

    `pile` goes from bottom to top; while `aside`, it is the part that waits for the initial meld.

    `hidden`: cards face down at the bottom of the pile. `opening`: the side had not opened when the turn began.
    `topped`: name of the meld with the top card taken in this turn. `dead`: ranks closed by the other sides, of which
    `others_opened` have opened. `foot`: the seat's own foot lies face down. `gate`: a partner's foot lies
    face down, and the rules do not let the seat go out before the partner takes it up. `canastas_before`: the side's
    canastas as the turn began. `ready`: the side had the canastas for going out then, or the rules do not require that.
    `taken`: the seat has taken the pile in this deal. `froze`: a discard has frozen the pile in
    this deal. `asked`: the seat has asked in it. `exposed`: penalty cards of the hand. `turns`: turns taken in this
    deal at a table of `seats`, of which the seat in turn is number `seat`.
    """

    laws: RuleSet
    phase: str
    hand: tuple[str, ...]
    melds: tuple[LaidMeld, ...]
    opened: bool
    opening: bool
    minimum: int
    score: int
    pile: tuple[str, ...]
    frozen: bool
    stock: int
    partner: bool
    permission: bool | None = None
    lapsed: bool = False
    drew: str | None = None
    laid: int = 0
    touched: bool = False
    aside: bool = False
    dead: frozenset[str] = frozenset()
    sevens_of_others: bool = True
    gate: bool = False
    red_threes: int = 0
    hidden: int = 0
    topped: str = ""
    others_opened: int = 0
    foot: bool = False
    canastas_before: int = 0
    ready: bool = True
    taken: bool = False
    froze: bool = False
    asked: bool = False
    exposed: tuple[str, ...] = ()
    turns: int = 1000
    seats: int = 4
    seat: int = 0
    deal: int = 1

    @property
    def first_round(self) -> bool:
        """Return whether a player has not had a turn in this deal yet."""
        return self.turns < self.seats

    @property
    def canastas(self) -> list[LaidMeld]:
        return [meld for meld in self.melds if meld.size >= self.laws.canasta_size]

    def melds_of(self, kind: str, rank: str) -> list[LaidMeld]:
        return [meld for meld in self.melds if (meld.kind, meld.rank) == (kind, rank)]

    def count_of_rank(self, rank: str) -> int:
        return [rank_of(card) for card in self.hand].count(rank)


def number_for_deal(position: Position, numbers: int | tuple[int, ...]) -> int:
    """Return the number that applies to the position's deal.

    The last of several numbers applies to all later deals.
    """
    return numbers if isinstance(numbers, int) else numbers[min(position.deal, len(numbers)) - 1]


def rank_of(card: str) -> str:
    """Return the rank of a card; ``0`` for a joker, ``R`` for a red three."""
    return _RANK_OF.get(card, card[0])


_RANK_OF: Final = {"JK": "0", "3h": "R", "3d": "R"}
"""Ranks of the cards whose rank is not their first letter."""


def value_of(laws: RuleSet, card: str) -> int:
    """Return the points of a card in a meld."""
    if card == "JK":
        return 50
    return laws.ace_value if card[0] == "A" else VALUES[card[0]]


def kind_of_canasta(meld: LaidMeld) -> str:
    """Return the kind of a finished meld: ``seq``, ``wild``, ``mixed`` or ``natural``.

    Twos as a rank count as wild (3.6).
    """
    if meld.kind == RUN:
        return "seq"
    if meld.kind in (WILD, DEUCE):
        return "wild"
    return "mixed" if meld.wilds else "natural"


# --- legal melds ------------------------------------------------------------------------------------------------------


def is_set_shape(laws: RuleSet, naturals: int, wilds: int) -> bool:
    """Return whether these numbers of cards can form a set, by the limits of A.1.

    The limits are on size, naturals, wild cards and their proportion. If a finished canasta takes any number of wild
    cards, those added to it do not count (S0 III.2).
    """
    if laws.wild_on_canasta == "free" and any(
        naturals + first >= laws.canasta_size and _is_set_shape_by_counts(laws, naturals, first)
        for first in range(wilds)
    ):
        return naturals + wilds <= (laws.meld_max or 999)
    return _is_set_shape_by_counts(laws, naturals, wilds)


def _is_set_shape_by_counts(laws: RuleSet, naturals: int, wilds: int) -> bool:
    enough = {"none": True, "nat>=w": naturals >= wilds, "nat>w": naturals > wilds, "nat>=2w": naturals >= 2 * wilds}
    return (
        naturals >= laws.min_naturals
        and laws.meld_min <= naturals + wilds <= (laws.meld_max or 999)
        and wilds <= laws.max_wilds
        and enough[laws.wild_ratio]
    )


def may_begin_meld(position: Position, kind: str, rank: str) -> bool:
    """Return whether the side may begin another meld of this kind and rank (3.1, 3.11).

    By the rules, that is allowed once, any number of times, or when all earlier ones are finished.
    """
    lying = position.melds_of(kind, rank)
    laws = position.laws
    if laws.same_rank_melds == "many":
        return True
    if laws.same_rank_melds == "after_close" or kind == WILD:
        return all(meld.size >= laws.canasta_size for meld in lying)
    return not lying


def may_join_set(position: Position, kind: str, rank: str, onto: LaidMeld | None, cards: tuple[str, ...]) -> bool:
    """Return whether these cards may be added to the set `onto`, or may form a set if it is None."""
    laws = position.laws
    after = LaidMeld("", kind, rank, (onto.cards if onto else ()) + cards)
    added = LaidMeld("", kind, rank, cards)
    if onto is None and not may_begin_meld(position, kind, rank):
        return False
    if rank in dead_ranks(position) or not is_set_shape(laws, after.naturals, after.wilds):
        return False
    if not added.wilds:
        return True
    if laws.wild_on_canasta == "never" and (onto.size if onto else 0) + added.wilds > laws.canasta_size:
        return False
    if laws.wild_reclaim != "none" and onto and onto.naturals >= laws.canasta_size:
        return False  # such a wild card could be reclaimed at once (`docs/law/classic.md H43`)
    if position.opening and laws.open_shape == "naturals":
        return False  # the initial meld holds no wild card (3.6)
    if rank in laws.no_wild_ranks or (rank in laws.open_wild_ranks and not position.opening):
        return False  # sevens never, aces only in the initial meld (3.10)
    if laws.wild_gate and not position.opening and after.naturals < laws.wild_gate and kind == SET:
        return False  # `wild_gate`: a set needs so many naturals before its first wild card (3.10)
    return not (kind == SET and any(rank_of(card) in locked_wilds(position) for card in cards))


def dead_ranks(position: Position) -> frozenset[str]:
    """Return the ranks that may not be melded any more because a side has a canasta of them (3.10)."""
    return closed_ranks(position) if position.laws.dead_ranks else frozenset()


def closed_ranks(position: Position) -> frozenset[str]:
    """Return the ranks in which any side has a canasta."""
    return position.dead | {one.rank for one in position.canastas if one.kind == SET}


def locked_wilds(position: Position) -> str:
    """Return the wild cards that may not be melded in sets, as a text of ``2`` and ``0`` (3.6, 3.10).

    An unfinished meld of wild cards or of twos claims them.
    """
    laws = position.laws
    unfinished = any(one.kind in (WILD, DEUCE) and one.size < laws.canasta_size for one in position.melds)
    return {"none": "", "twos": "2", "all": "20"}[laws.wild_lock] if unfinished else ""


def may_join_wild_meld(position: Position, onto: LaidMeld | None, count: int) -> bool:
    """Return whether `count` wild cards may be added to the meld `onto`, or form their own meld (3.2)."""
    laws = position.laws
    if onto is None and not may_begin_meld(position, WILD, ""):
        return False
    if position.opening and laws.open_shape == "naturals":
        return False
    return laws.meld_min <= (onto.size if onto else 0) + count <= laws.canasta_size


def may_join_run(position: Position, onto: LaidMeld | None, low: int, high: int) -> bool:
    """Return whether the ranks from `low` to `high` may be added to the run `onto`, or form a run (3.1).

    A run of seven grows only in a turn of going out, if at all (3.3).
    """
    size = position.laws.canasta_size
    count = high - low + 1
    if onto is None:
        return 3 <= count <= size
    first, last = onto.ends
    if high != first - 1 and low != last + 1:
        return False
    if onto.size >= size:
        return position.laws.seq_rule == "grows_going_out"
    return onto.size + count <= size
