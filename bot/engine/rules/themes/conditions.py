"""Conditions: the parts of a theme, as data.

A table stores its themes with every condition written out, so that later changes of the library do not affect running
games.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias, get_args

from bot.engine.cards.cards import ACE, BLACK_THREE, FOUR, JOKER, RANK_LETTERS, TWO, Kind, value_class
from bot.engine.cards.meld_places import DEUCE_MELD, RUN, WILD_MELD, Family

What: TypeAlias = Literal[
    "open_with",  # a meld of these ranks must be in the initial meld
    "open_without",  # no meld of these ranks may be in the initial meld
    "no_meld",  # cards of these ranks may not be melded
    "no_discard",  # cards of these ranks may not be discarded, unless the hand holds only such cards
    "no_canasta",  # these ranks may be melded, but make no canasta
    "canasta_first",  # a canasta of these ranks must come before any other
    "out_with",  # this number of canastas of these ranks is needed to go out
    "no_pile",  # the pile may not be taken
    "no_out",  # no one may go out
    "wins_with",  # a canasta of these ranks wins the game at once
    "freeze_once",  # only one wild card per deal may freeze the pile, unless the hand holds only wild cards
]
"""The sort of demand that a condition makes."""

Until: TypeAlias = Literal["never", "opened", "canasta", "turn", "deal"]
"""The end of a condition: never; at opening or a canasta; at a turn of each seat; at a deal."""

CanastaOf: TypeAlias = Literal["any", "natural", "mixed"]
"""Which canastas of its ranks a condition means."""


RankWord: TypeAlias = Annotated[str, "rank"]
"""A word of `RANKS`."""


@value_class
class Condition:
    """A single condition of a theme.

    - `ranks`: letters from ``4`` to ``A``, ``3`` (black), ``2`` and ``JK``; for canastas also ``wild`` and ``run``.
      Empty means any.
    - `by_seat`: each seat has its own rank of these, in the order of the seats.
    - `canasta`: the sort of canasta meant.
    - `number`: the number of canastas; or the turn or deal from which the condition has ended.
    """

    what: What
    ranks: tuple[RankWord, ...] = ()
    canasta: CanastaOf = "any"
    number: int = 0
    until: Until = "never"
    by_seat: bool = False


@value_class
class Theme:
    """A theme by its stored name, with its conditions for the first, second and later deals, repeating."""

    name: str
    turns: tuple[tuple[Condition, ...], ...]


WHATS: Final[tuple[What, ...]] = get_args(What)
UNTILS: Final[tuple[Until, ...]] = get_args(Until)
CANASTAS: Final[tuple[CanastaOf, ...]] = get_args(CanastaOf)

KINDS: Final[dict[str, Kind]] = {RANK_LETTERS[kind]: kind for kind in range(FOUR, ACE + 1)} | {
    "3": BLACK_THREE,
    "2": TWO,
    "JK": JOKER,
}
"""The kind of card for each letter."""

RANKS: Final = (*KINDS, "wild", "run")
"""Every word that `Condition.ranks` may contain."""

_FAMILIES: Final[dict[str, frozenset[Family]]] = {
    "wild": frozenset({WILD_MELD, DEUCE_MELD}),
    "run": frozenset(range(RUN, RUN + 4)),
}

RANK_FAMILIES: Final = frozenset(range(FOUR, ACE + 1))


def kinds_of(ranks: tuple[str, ...]) -> frozenset[Kind]:
    """Return the kinds of cards for these letters."""
    return frozenset([KINDS[rank] for rank in ranks if rank in KINDS])


def families_of(ranks: tuple[str, ...]) -> frozenset[Family]:
    """Return the families of melds for these words; all families if there are none."""
    if not ranks:
        return RANK_FAMILIES | _FAMILIES["wild"] | _FAMILIES["run"]
    return frozenset().union(*[_FAMILIES.get(rank) or frozenset({KINDS[rank]}) for rank in ranks])
