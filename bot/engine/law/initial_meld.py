"""The initial meld: checks whether a side's melds open it, and what they lack.

`bot.engine.table.state_queries` computes the points it needs, `bot.engine.reach.opening_goals` the other demands.

Decides `docs/law/classic.md 1.11`. Reads `canasta_size`, `open_waiver`, `theme`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bot.engine.cards.meld_places import Place
from bot.engine.melds.table_meld import TableMeld
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.reach.opening_goals import Goal, goals_of_turn, is_goal_reached, place_of_uncounted_top, why_not_open
from bot.engine.reach.opening_points import most_points
from bot.engine.reach.turn_outlook import Outlook
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table import themes_in_force
from bot.engine.table.state import State


def why_melds_do_not_open(state: State, points: int, melds: Iterable[TableMeld]) -> Refusal | None:
    """Return the refusal if these melds, which count `points`, do not open the side, else None."""
    goals, laid = goals_of_turn(state), tuple(melds)
    if state.rules.theme and points >= goals[0].points:
        lacking = themes_in_force.why_themes_forbid_opening(state, laid)
        if lacking is not None:
            return lacking
    return why_not_open(
        state.rules, goals, points, laid, uncounted_top=place_of_uncounted_top(state.rules, state.claimed)
    )


def has_opened(state: State, outlook: Outlook, top_place: Place | None) -> bool:
    """Return whether the side has opened, or opens with its melds of this turn.

    Source: `docs/law/classic.md 1.11`.
    """
    if state.opened[state.side]:
        return True
    return are_melds_the_initial_meld(state, outlook.standing.melds, outlook.laid_points, top_place)


def are_melds_the_initial_meld(
    state: State, melds: Mapping[Place, TableMeld], points: int, top_place: Place | None
) -> bool:
    """Return whether these melds are the side's initial meld; `points` were laid in this turn."""
    rules = state.rules
    waiving = place_of_waiving_canasta(rules, top_place)
    meld = None if waiving is None else melds.get(waiving)
    if meld is not None and meld.size >= rules.canasta_size:
        return not rules.theme or themes_in_force.why_themes_forbid_opening(state, melds.values()) is None
    return is_goal_reached(
        rules, goals_of_turn(state), points, melds.values(), uncounted_top=place_of_uncounted_top(rules, top_place)
    )


def place_of_waiving_canasta(rules: RuleSet, top_place: Place | None) -> Place | None:
    """Return the place where a canasta would open the side without the minimum, or None.

    In some rules that is the place of the pile's top.
    """
    return top_place if "first_canasta_top" in rules.open_waiver else None


def is_minimum_waived(state: State, *, from_stock: bool) -> bool:
    """Return whether the seat in turn may go out without the minimum because it drew from the stock.

    See `open_waiver`.
    """
    return from_stock and "concealed" in state.rules.open_waiver


def why_opening_unreachable(state: State, outlook: Outlook, missing: Sequence[Goal], *, keep: int) -> Refusal | None:
    """Return the refusal if the hand cannot complete the initial meld, else None.

    The refusal names the missing demand, or the best points within reach. None means that the initial meld could be
    completed, but fewer than `keep` cards would stay in the hand.
    """
    if state.rules.theme and (refusal := _why_theme_rank_missing(state, outlook, missing, keep)) is not None:
        return refusal
    points = [most_points(outlook.standing, outlook.hand, goal, keep=0) for goal in missing]
    if max(points) < 0:
        # The hand cannot meet the demand, so the demand is the reason, not the points.
        freed = [Goal(goal.points, wilds=goal.wilds, groups=goal.groups) for goal in missing]
        points = [most_points(outlook.standing, outlook.hand, goal, keep=0) for goal in freed]
    best = outlook.laid_points + max(0, *points)
    goals = goals_of_turn(state)
    required = goals[0].points
    if best >= required or goals[0].demand in ("canasta", "natural_canasta"):
        return why_melds_do_not_open(state, best, outlook.standing.melds.values())
    return Refusal(Code.INITIAL_MELD_UNREACHABLE, {"count": outlook.laid_points, "required": required, "best": best})


def _why_theme_rank_missing(state: State, outlook: Outlook, missing: Sequence[Goal], keep: int) -> Refusal | None:
    """Return the refusal if only a rank that a theme demands is missing in the initial meld, else None."""
    refusal = themes_in_force.why_themes_forbid_opening(state, outlook.standing.melds.values())
    if refusal is None:
        return None
    without = [Goal(goal.points, goal.demand, goal.wilds) for goal in missing]
    found = any(most_points(outlook.standing, outlook.hand, goal, keep=keep) >= goal.points for goal in without)
    return refusal if found else None
