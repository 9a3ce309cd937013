"""The initial meld: whether what a side has laid opens it, and what it lacks where it does not.

How many points it takes is told by `bot.engine.table.queries`, and what it has to hold by `bot.engine.reach.openings`.

Decides `docs/law/classic.md 1.11`. Reads `canasta_size`, `open_waiver`, `theme`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bot.engine.cards.places import Place
from bot.engine.melds.melds import TableMeld
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.reach.openings import Goal, goals_in, opens, top_apart, why_not_open
from bot.engine.reach.reaching import most_points
from bot.engine.reach.standing import Outlook
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table import force
from bot.engine.table.state import State


def why_not_opened(state: State, points: int, melds: Iterable[TableMeld]) -> Refusal | None:
    """Why the melds laid in this turn, which count `points`, do not open the side; None where they do."""
    goals, laid = goals_in(state), tuple(melds)
    if state.rules.theme and points >= goals[0].points:
        lacking = force.why_not_open(state, laid)
        if lacking is not None:
            return lacking
    return why_not_open(state.rules, goals, points, laid, topped=top_apart(state.rules, state.claimed))


def has_opened(state: State, outlook: Outlook, claimed: Place | None) -> bool:
    """Whether the side has opened, or what it has laid now opens it (`docs/law/classic.md 1.11`)."""
    if state.opened[state.side]:
        return True
    return opens_with(state, outlook.standing.melds, outlook.laid_points, claimed)


def opens_with(state: State, melds: Mapping[Place, TableMeld], points: int, claimed: Place | None) -> bool:
    """Whether these melds make the initial meld of the side, `points` having been laid in this turn."""
    rules = state.rules
    waiving = waived_at(rules, claimed)
    meld = None if waiving is None else melds.get(waiving)
    if meld is not None and meld.size >= rules.canasta_size:
        return not rules.theme or force.why_not_open(state, melds.values()) is None
    return opens(rules, goals_in(state), points, melds.values(), topped=top_apart(rules, claimed))


def waived_at(rules: RuleSet, claimed: Place | None) -> Place | None:
    """The place where a canasta opens the side without the minimum: where the pile's top lies, in some rules."""
    return claimed if "first_canasta_top" in rules.open_waiver else None


def waives_minimum(state: State, *, from_stock: bool) -> bool:
    """Whether the seat in turn needs no minimum in going out, because it drew from the stock (`open_waiver`)."""
    return from_stock and "concealed" in state.rules.open_waiver


def why_unreachable(state: State, outlook: Outlook, missing: Sequence[Goal], *, keep: int) -> Refusal | None:
    """The refusal where the initial meld can no longer be made: what it lacks, or the most points it could reach.

    None where the meld itself could be made, but fewer than `keep` cards would then stay in the hand.
    """
    if state.rules.theme and (refusal := _why_not_by_theme(state, outlook, missing, keep)) is not None:
        return refusal
    points = [most_points(outlook.standing, outlook.hand, goal, keep=0) for goal in missing]
    if max(points) < 0:
        # What the initial meld has to hold is not in the hand, so that is the reason and not the points.
        freed = [Goal(goal.points, wilds=goal.wilds, groups=goal.groups) for goal in missing]
        points = [most_points(outlook.standing, outlook.hand, goal, keep=0) for goal in freed]
    best = outlook.laid_points + max(0, *points)
    goals = goals_in(state)
    required = goals[0].points
    if best >= required or goals[0].demand in ("canasta", "natural_canasta"):
        return why_not_opened(state, best, outlook.standing.melds.values())
    return Refusal(Code.INITIAL_MELD_UNREACHABLE, {"count": outlook.laid_points, "required": required, "best": best})


def _why_not_by_theme(state: State, outlook: Outlook, missing: Sequence[Goal], keep: int) -> Refusal | None:
    """The refusal where nothing but a rank that a theme wants in the initial meld is lacking."""
    refusal = force.why_not_open(state, outlook.standing.melds.values())
    if refusal is None:
        return None
    without = [Goal(goal.points, goal.demand, goal.wilds) for goal in missing]
    found = any(most_points(outlook.standing, outlook.hand, goal, keep=keep) >= goal.points for goal in without)
    return refusal if found else None
