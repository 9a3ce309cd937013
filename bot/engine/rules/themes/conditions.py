"""Conditions: the parts of a theme, as data.

A table stores its themes with every condition written out, so that later changes of the library do not affect running
games.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias, get_args

from bot.engine.cards.cards import ACE, BLACK_THREE, FOUR, JOKER, RANK_LETTERS, TWO, Kind, value
from bot.engine.cards.places import DEUCE_MELD, RUN, WILD_MELD, Family

What: TypeAlias = Literal[
    "open_with",  # one meld of these ranks is in the initial meld
    "open_without",  # none of these ranks is in the initial meld
    "no_meld",  # these are not laid on the table
    "no_discard",  # these are not discarded; gives way where the hand holds nothing else
    "no_canasta",  # these ranks are melded, but make no canasta
    "canasta_first",  # such a canasta comes before any other
    "out_with",  # the given number of such canastas comes before going out
    "no_pile",  # the pile is not taken
    "no_out",  # nobody goes out
    "wins_with",  # such a canasta wins the game at once
    "freeze_once",  # a wild card freezes the pile once a deal; gives way where the hand holds nothing else
]
"""The demand of a condition."""

Until: TypeAlias = Literal["never", "opened", "canasta", "turn", "deal"]
"""When a condition ends: never; when the side has opened or has a canasta; at a turn of each seat; at a deal."""

CanastaOf: TypeAlias = Literal["any", "natural", "mixed"]
"""The sort of canastas of ranks that a condition means."""


RankWord: TypeAlias = Annotated[str, "rank"]
"""One of `RANKS`."""


@value
class Condition:
    """One condition of a theme.

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


@value
class Theme:
    """A theme by its stored name, with its conditions for the first deal, the second, and so on, repeating."""

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
