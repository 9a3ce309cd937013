"""Openings: what a side's initial meld must be beside its points (`docs/law/variants.md 3.3, 3.6, 3.10`).

All melds of the turn in which a side opens are its initial meld. Each way to open is a goal; one of them has to be
reached, and a search over layouts needs to keep no more than the points and whether the demand is met. That some melds
may not be among them (`may_open_with`) is asked meld by meld.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, Literal

from bot.engine.cards.cards import ACE
from bot.engine.cards.places import DEUCE_MELD, WILD_MELD, Family, Place, is_run
from bot.engine.cards.values import value
from bot.engine.melds.melds import TableMeld
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.rules.rule_set import InitialCanasta, RuleSet

CLEAN: Final = 3
"""Naturals of a meld without a wild card that make it a clean one."""

Demand = Literal["none", "clean", "wild", "canasta", "natural_canasta", "splash"]
"""What an initial meld has to hold beside its points: a clean meld of one rank; wild cards alone; any canasta; one that
is not mixed; one of naturals of one rank, or of wild cards."""


@value
class Goal:
    """One way to open: so many points, and a meld of what is demanded among those laid in this turn.

    `wilds` tells whether wild cards may be among them. Of each of the `groups` of ranks one has to be melded too, where
    a theme says so.
    """

    points: int
    demand: Demand = "none"
    wilds: bool = True
    groups: tuple[frozenset[Family], ...] = ()

    def less(self, points: int) -> Goal:
        """What is missing when so many points are laid."""
        return Goal(max(0, self.points - points), self.demand, self.wilds, self.groups)


@lru_cache(maxsize=1 << 12)
def goals_of(rules: RuleSet, *, minimum: int, canasta: InitialCanasta = "none") -> tuple[Goal, ...]:
    """What opens a side that needs so many points, and that canasta among its melds; one of them is enough."""
    goals = _shaped(rules, minimum, canasta)
    return (*goals, Goal(0, "splash")) if "splash" in rules.open_waiver else goals


def _shaped(rules: RuleSet, minimum: int, canasta: InitialCanasta) -> tuple[Goal, ...]:
    match rules.open_shape:
        case "clean3":
            return (Goal(minimum, "clean"),)
        case "clean3_or_wild":
            return Goal(minimum, "clean"), Goal(minimum, "wild")
        case "naturals":
            return (Goal(minimum, wilds=False),)
        case _:
            return (Goal(minimum, canasta),)


def opens(
    rules: RuleSet, goals: Iterable[Goal], points: int, melds: Iterable[TableMeld], *, topped: Place | None = None
) -> bool:
    """Whether the melds laid in this turn, which count `points`, reach one of the goals; `topped` as in `meets`."""
    laid = tuple(melds)
    return any(
        points >= goal.points
        and meets(rules, goal.demand, laid, topped=topped)
        and (not goal.groups or has_groups(goal, laid))
        for goal in goals
    )


def has_groups(goal: Goal, melds: Iterable[TableMeld]) -> bool:
    """Whether the melds have a rank of each of the goal's groups."""
    lying = {meld.kind for meld in melds}
    return all(lying & group for group in goal.groups)


def why_not_open(
    rules: RuleSet, goals: tuple[Goal, ...], points: int, melds: Iterable[TableMeld], *, topped: Place | None = None
) -> Refusal | None:
    """The refusal where `opens` says no: of points first, then of what is demanded; of both where it is a canasta."""
    laid = tuple(melds)
    if opens(rules, goals, points, laid, topped=topped):
        return None
    return lacking(rules, goals, points)


def lacking(rules: RuleSet, goals: tuple[Goal, ...], points: int) -> Refusal:
    """The refusal for melds that count so many points and reach none of the goals."""
    usual = goals[0]
    detail = {"count": points, "required": usual.points}
    if usual.demand == "natural_canasta":
        return Refusal(Code.OPENING_NEEDS_NATURAL_CANASTA, detail)
    if usual.demand == "canasta":
        return Refusal(Code.OPENING_NEEDS_CANASTA_AND_POINTS if usual.points else Code.OPENING_NEEDS_CANASTA, detail)
    if points < usual.points or usual.demand != "clean":
        return Refusal(Code.INITIAL_MELD_TOO_LOW, detail)
    clean = Code.OPENING_NEEDS_CLEAN if rules.open_shape == "clean3" else Code.OPENING_NEEDS_CLEAN_OR_WILD
    return Refusal(clean, detail)


def meets(rules: RuleSet, demand: Demand, melds: Iterable[TableMeld], *, topped: Place | None = None) -> bool:
    """Whether one of the melds is what is demanded.

    At `topped` lies the top of the pile, where that is not one of the naturals that make a meld clean.
    """
    if demand == "clean":
        return any(is_clean(meld, topped=topped) for meld in melds)
    return demand == "none" or any(is_demanded(rules, demand, meld.kind, meld.naturals, meld.wilds) for meld in melds)


def is_demanded(rules: RuleSet, demand: Demand, family: Family, naturals: int, wilds: int) -> bool:
    """Whether such a meld is what is demanded."""
    canasta = naturals + wilds >= rules.canasta_size
    match demand:
        case "clean":
            return family <= ACE and not wilds and naturals >= CLEAN
        case "wild":
            return family == WILD_MELD
        case "canasta":
            return canasta
        case "natural_canasta":
            return canasta and (family in (WILD_MELD, DEUCE_MELD) or not wilds)
        case "splash":
            return canasta and (family == WILD_MELD or not (wilds or is_run(family)))
        case _:
            return True


NEEDING_CLEAN: Final = frozenset({"clean3", "clean3_or_wild"})
"""The shapes of an initial meld that has to have a clean meld, or something in its place."""


def is_clean(meld: TableMeld, *, topped: Place | None = None) -> bool:
    """Whether a meld has three or more naturals of one rank and no wild card; `topped` as in `meets`."""
    return meld.kind <= ACE and not meld.wilds and meld.naturals - (meld.place == topped) >= CLEAN


def top_apart(rules: RuleSet, claimed: Place | None) -> Place | None:
    """Where the top of the pile lies, if it is none of the naturals of a clean meld (`docs/law/variants.md 3.10`)."""
    if claimed is None or rules.open_count_top or rules.open_shape not in NEEDING_CLEAN:
        return None
    return claimed


def may_open_with(rules: RuleSet, family: Family, naturals: int, wilds: int) -> bool:
    """Whether such a meld may be among those of the turn in which its side opens.

    No wild card where the initial meld is natural; and no mixed canasta where it has to hold a clean meld.
    """
    return why_not_open_with(rules, family, naturals, wilds) is None


def why_not_open_with(rules: RuleSet, family: Family, naturals: int, wilds: int) -> Refusal | None:
    """The refusal where `may_open_with` says no."""
    if not wilds:
        return None
    if rules.open_shape == "naturals":
        return Refusal(Code.OPENING_WITHOUT_WILDS, {"wilds": wilds})
    if rules.open_shape in NEEDING_CLEAN and family != WILD_MELD and naturals + wilds >= rules.canasta_size:
        return Refusal(Code.OPENING_MIXED_CANASTA, {"size": rules.canasta_size})
    return None
