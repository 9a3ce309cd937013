"""The demands on an initial meld other than its points, as goals.

All melds of the turn in which a side opens are its initial meld. Each way to open is a goal, and one of them must be
reached. Besides the points, a goal demands at most one meld, so a search stores only the points and whether the demand
is met. Melds that may not be part of an initial meld at all are checked one by one (`why_meld_cannot_open`).

Decides `docs/law/classic.md 1.11` and `docs/law/variants.md 3.3, 3.6, 3.10`. Reads `canasta_size`, `open_count_top`,
`open_shape`, `open_waiver`, `theme`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, Literal

from bot.engine.cards.cards import ACE, value_class
from bot.engine.cards.meld_places import DEUCE_MELD, WILD_MELD, Family, Place, is_run
from bot.engine.melds.table_meld import TableMeld
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.rules.parameter_declarations import InitialCanasta
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table import themes_in_force
from bot.engine.table.state import State
from bot.engine.table.state_queries import opening_canasta, opening_minimum

CLEAN_SIZE: Final = 3
"""The number of naturals that make a meld without wild cards clean."""

Demand = Literal["none", "clean", "wild", "canasta", "natural_canasta", "splash"]
"""The meld that an initial meld must include, besides its points.

A clean meld of one rank; a meld of wild cards alone; any canasta; a canasta that is not mixed; a canasta of naturals of
one rank, or of wild cards (a splash).
"""


@value_class
class Goal:
    """A way to open: the points needed, and the meld demanded among those of this turn.

    `wilds` says whether the melds may have wild cards. One rank of each of the `groups`, which themes name, must be
    melded too.
    """

    points: int
    demand: Demand = "none"
    wilds: bool = True
    groups: tuple[frozenset[Family], ...] = ()

    def reduced_by(self, points: int) -> Goal:
        """Return the rest of the goal after these points have been melded."""
        return Goal(max(0, self.points - points), self.demand, self.wilds, self.groups)


def remaining_goals(goals: Iterable[Goal], laid_points: int) -> tuple[Goal, ...]:
    """Return the rest of the goals after these points have been melded."""
    return tuple([goal.reduced_by(laid_points) for goal in goals])


@lru_cache(maxsize=1 << 12)
def goals_for_minimum(rules: RuleSet, *, minimum: int, canasta: InitialCanasta = "none") -> tuple[Goal, ...]:
    """Return the goals for that minimum and required canasta; one of them is enough to open."""
    goals = _goals_by_shape(rules, minimum, canasta)
    return (*goals, Goal(0, "splash")) if "splash" in rules.open_waiver else goals


def goals_of_turn(state: State) -> tuple[Goal, ...]:
    """Return the goals of the side in turn; one of them is enough to open."""
    side = state.side
    goals = goals_for_minimum(state.rules, minimum=opening_minimum(state, side), canasta=opening_canasta(state, side))
    if not state.rules.theme or not (groups := themes_in_force.rank_groups_for_opening(state)):
        return goals
    return tuple([Goal(goal.points, goal.demand, goal.wilds, groups) for goal in goals])


def _goals_by_shape(rules: RuleSet, minimum: int, canasta: InitialCanasta) -> tuple[Goal, ...]:
    match rules.open_shape:
        case "clean3":
            return (Goal(minimum, "clean"),)
        case "clean3_or_wild":
            return Goal(minimum, "clean"), Goal(minimum, "wild")
        case "naturals":
            return (Goal(minimum, wilds=False),)
        case _:
            return (Goal(minimum, canasta),)


def is_goal_reached(
    rules: RuleSet,
    goals: Iterable[Goal],
    points: int,
    melds: Iterable[TableMeld],
    *,
    uncounted_top: Place | None = None,
) -> bool:
    """Return whether the melds of this turn reach one of the goals.

    `uncounted_top` is explained at `is_demand_met`.
    """
    laid = tuple(melds)
    return any(
        points >= goal.points
        and is_demand_met(rules, goal.demand, laid, uncounted_top=uncounted_top)
        and (not goal.groups or has_rank_of_each_group(goal, laid))
        for goal in goals
    )


def has_rank_of_each_group(goal: Goal, melds: Iterable[TableMeld]) -> bool:
    """Return whether the melds include a rank of each group of the goal."""
    lying = {meld.kind for meld in melds}
    return all(lying & group for group in goal.groups)


def why_not_open(
    rules: RuleSet,
    goals: tuple[Goal, ...],
    points: int,
    melds: Iterable[TableMeld],
    *,
    uncounted_top: Place | None = None,
) -> Refusal | None:
    """Return the refusal if the melds reach none of the goals, else None.

    It is about the points if there are too few, else about the demand. `uncounted_top` is explained at `is_demand_met`.
    """
    laid = tuple(melds)
    if is_goal_reached(rules, goals, points, laid, uncounted_top=uncounted_top):
        return None
    return opening_refusal(rules, goals, points)


def opening_refusal(rules: RuleSet, goals: tuple[Goal, ...], points: int) -> Refusal:
    """Return the refusal for melds with these points that reach none of the goals."""
    usual = goals[0]
    detail = {"count": points, "required": usual.points}
    if usual.demand == "natural_canasta":
        return Refusal(Code.OPENING_NEEDS_NATURAL_CANASTA, detail)
    if usual.demand == "canasta":
        return Refusal(Code.OPENING_NEEDS_CANASTA_AND_POINTS if usual.points else Code.OPENING_NEEDS_CANASTA, detail)
    if points < usual.points or usual.demand != "clean":
        return Refusal(Code.INITIAL_MELD_TOO_LOW, detail)
    clean = Code.OPENING_NEEDS_CLEAN if rules.open_shape == "clean3" else Code.OPENING_NEEDS_CLEAN_OR_WILD
    return Refusal(clean, {"required": CLEAN_SIZE})


def is_demand_met(
    rules: RuleSet, demand: Demand, melds: Iterable[TableMeld], *, uncounted_top: Place | None = None
) -> bool:
    """Return whether one of the melds meets the demand.

    `uncounted_top` is the place of the pile's top card if that card does not count for a clean meld; else None.
    """
    return demand == "none" or any(_is_demanded_meld(rules, demand, meld, uncounted_top) for meld in melds)


def _is_demanded_meld(rules: RuleSet, demand: Demand, meld: TableMeld, uncounted_top: Place | None) -> bool:
    family, canasta = meld.kind, meld.size >= rules.canasta_size
    match demand:
        case "clean":
            return is_clean_meld(meld, uncounted_top=uncounted_top)
        case "wild":
            return family == WILD_MELD
        case "canasta":
            return canasta
        case "natural_canasta":
            return canasta and (family in (WILD_MELD, DEUCE_MELD) or not meld.wilds)
        case _:  # the demand is a splash: a natural canasta, or one of wild cards
            return canasta and (family == WILD_MELD or not (meld.wilds or is_run(family)))


NEEDING_CLEAN: Final = frozenset({"clean3", "clean3_or_wild"})
"""The values of `open_shape` that demand a clean meld, or an alternative to it."""


def is_clean_meld(meld: TableMeld, *, uncounted_top: Place | None = None) -> bool:
    """Return whether a meld has at least three naturals of one rank and no wild card.

    `uncounted_top` is as in `is_demand_met`.
    """
    return meld.kind <= ACE and not meld.wilds and meld.naturals - (meld.place == uncounted_top) >= CLEAN_SIZE


def place_of_uncounted_top(rules: RuleSet, top_place: Place | None) -> Place | None:
    """Return the place of the top card if it does not count for a clean meld, else None.

    Source: `docs/law/variants.md 3.10`.
    """
    if top_place is None or rules.open_count_top or rules.open_shape not in NEEDING_CLEAN:
        return None
    return top_place


def why_meld_cannot_open(rules: RuleSet, family: Family, naturals: int, wilds: int) -> Refusal | None:
    """Return the refusal if such a meld may not be part of an initial meld, else None.

    An initial meld of naturals (`open_shape`) has no wild card, and one that needs a clean meld has no mixed canasta.
    """
    if not wilds:
        return None
    if rules.open_shape == "naturals":
        return Refusal(Code.OPENING_WITHOUT_WILDS, {"wilds": wilds})
    if rules.open_shape in NEEDING_CLEAN and family != WILD_MELD and naturals + wilds >= rules.canasta_size:
        return Refusal(Code.OPENING_MIXED_CANASTA, {"size": rules.canasta_size})
    return None
