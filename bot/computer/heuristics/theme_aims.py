"""Aims: the effects of a table's themes on what the side in turn should or may do.

Aims are derived from the seat's own view; without themes they are `NO_AIMS`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.engine.cards.cards import Kind
from bot.engine.cards.meld_places import Family
from bot.engine.melds.canastas import is_canasta_of
from bot.engine.melds.table_meld import TableMeld
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.themes.conditions import Condition, What, families_of, kinds_of
from bot.engine.table.themes_in_force import CanastaLimits, combine_conditions, conditions_of_deal, ranks_for
from bot.engine.table.views import MeldView, SeatView, SideView


@dataclass(frozen=True, slots=True)
class CanastaWish:
    """Canastas that a theme rewards: their families and kind, and how many are still missing."""

    families: frozenset[Family]
    canasta: str
    missing: int

    def includes(self, family: Family, kind: str) -> bool:
        """Return whether a canasta of that family and kind would be one of the missing ones.

        `kind` is natural or mixed.
        """
        return self.missing > 0 and family in self.families and self.canasta in ("any", kind)


@dataclass(frozen=True, slots=True)
class ThemeAims:
    """The effects of themes on a seat now.

    - `useless`: the kinds of cards that it can never lay in this deal.
    - `barren`: the families that make no canasta.
    - `limits`: what restricts going out and canastas.
    - `stays`: no one may go out now; `to_the_end`: nor in the rest of the deal.
    - `first`, `out`, `winning`: canastas to make before any other, to go out, and to win the game.
    - `opening`: sets of ranks; the initial meld needs one rank of each.
    - `piles`: the sides that may take the pile now; None means all.
    - `missing`: the canastas that each side still needs to go out.
    """

    useless: frozenset[Kind] = frozenset()
    barren: frozenset[Family] = frozenset()
    limits: CanastaLimits | None = None
    stays: bool = False
    to_the_end: bool = False
    first: tuple[CanastaWish, ...] = ()
    out: tuple[CanastaWish, ...] = ()
    winning: tuple[CanastaWish, ...] = ()
    opening: tuple[frozenset[Family], ...] = ()
    piles: frozenset[int] | None = None
    missing: tuple[int, ...] = ()

    def canastas_missing(self, side: int) -> int:
        """Return how many more canastas themes require before that side may go out."""
        return self.missing[side] if self.missing else 0

    def may_take_pile(self, side: int) -> bool:
        """Return whether themes allow that side to take the pile."""
        return self.piles is None or side in self.piles


NO_AIMS: Final = ThemeAims()


def aims_of(view: SeatView) -> ThemeAims:
    """Return the effects of themes on the seat with this view."""
    return _ThemeReader(view).read_aims() if view.table.rules.theme else NO_AIMS


class _ThemeReader:
    """Reads the conditions of the current deal for one seat."""

    def __init__(self, view: SeatView) -> None:
        self._view = view
        self._rules = view.table.rules
        self._conditions = conditions_of_deal(self._rules, view.table.deal)

    def read_aims(self) -> ThemeAims:
        out = tuple(self._conditions_in_force("out_with"))
        sides = self._view.table.sides
        return ThemeAims(
            useless=frozenset().union(
                *[kinds_of(self._ranks_of(one)) for one in self._conditions_until_end("no_meld")]
            ),
            barren=frozenset().union(*[families_of(one.ranks) for one in self._conditions_until_end("no_canasta")]),
            limits=self._read_limits(out),
            stays=any(True for _ in self._conditions_in_force("no_out")),
            to_the_end=any(True for _ in self._conditions_until_end("no_out")),
            first=tuple([self._wish_of(one) for one in self._conditions_in_force("canasta_first")]),
            out=tuple([self._wish_of(one) for one in out]),
            winning=tuple([self._wish_of(one) for one in self._conditions_in_force("wins_with")]),
            opening=() if self._view.side.opened else self._opening_families(),
            piles=self._sides_that_may_take(),
            missing=tuple([max([self._canastas_missing(one, side) for one in out], default=0) for side in sides]),
        )

    def _read_limits(self, out: tuple[Condition, ...]) -> CanastaLimits | None:
        """Return the themes' limits on canastas and on going out; None if there are none."""
        first = list(self._conditions_in_force("canasta_first"))
        never = [families_of(one.ranks) for one in self._conditions_in_force("no_canasta")]
        return (
            CanastaLimits(combine_conditions(first), frozenset().union(*never), out) if first or never or out else None
        )

    def _opening_families(self) -> tuple[frozenset[Family], ...]:
        """Return sets of families of melds; the initial meld must have one of each."""
        return tuple(dict.fromkeys(families_of(self._ranks_of(one)) for one in self._conditions_in_force("open_with")))

    def _sides_that_may_take(self) -> frozenset[int] | None:
        """Return the sides that may take the pile; None if all may."""
        sides = self._view.table.sides
        free = [
            number
            for number, side in enumerate(sides)
            if not any(True for _ in self._conditions_in_force("no_pile", side))
        ]
        return None if len(free) == len(sides) else frozenset(free)

    # --- conditions --------------------------------------------------------------------------------------------------

    def _conditions_in_force(self, what: What, side: SideView | None = None) -> Iterable[Condition]:
        """Yield the conditions of type `what` that now apply to a side, by default the seat's own."""
        for _, one in self._conditions.get(what, ()):
            if not self._has_condition_ended(one, side or self._view.side):
                yield one

    def _conditions_until_end(self, what: What) -> Iterable[Condition]:
        """Return the conditions of type `what` that last until the end of the deal."""
        return [one for one in self._conditions_in_force(what) if one.until in ("never", "deal")]

    def _has_condition_ended(self, condition: Condition, side: SideView) -> bool:
        """Return whether the condition no longer applies to the side."""
        table = self._view.table
        match condition.until:
            case "opened":
                return side.opened
            case "canasta":
                return _count_canastas(self._rules, side.melds, families_of(()), condition.canasta) > 0
            case "turn":
                return table.turns // len(table.playing) + 1 >= condition.number
            case "deal":
                return table.deal >= condition.number
            case _:
                return False

    def _ranks_of(self, condition: Condition) -> tuple[str, ...]:
        """Return the ranks of the condition for the seat."""
        return ranks_for(condition, self._view.seat)

    def _wish_of(self, condition: Condition) -> CanastaWish:
        """Return the canastas that the condition rewards."""
        return CanastaWish(
            families_of(condition.ranks), condition.canasta, self._canastas_missing(condition, self._view.side)
        )

    def _canastas_missing(self, condition: Condition, side: SideView) -> int:
        """Return how many canastas of the condition the side still lacks."""
        there = _count_canastas(self._rules, side.melds, families_of(condition.ranks), condition.canasta)
        return max(0, max(1, condition.number) - there)


def _count_canastas(rules: RuleSet, melds: Sequence[MeldView], families: frozenset[Family], kind: str) -> int:
    """Return the number of canastas of these families and this kind among the melds."""
    laid = [TableMeld(meld.place, meld.naturals, meld.wilds, meld.cards) for meld in melds]
    return sum(is_canasta_of(rules, meld, families, kind) for meld in laid)
