"""The legal ways to lay cards, listed in a fixed order.

The order is: ranks from four to ace, twos as a rank, wild cards alone; runs by suit; two melds laid together; black
threes. Within a family, what joins a meld that lies there comes before a new one.

All that could lie somewhere is listed first, then what leads to no lawful end of the turn is taken out.
`bot.engine.law.melding` decides about a single step; the list gives the same answers sooner, by asking about many steps
at once.

Decides `docs/law/classic.md 1.23, 1.24`. Reads `auto_win`, `meld_kinds`, `meld_min`, `min_naturals`, `open_shape`,
`same_rank_melds`, `seq_rule`, `theme`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from bot.engine.cards.cards import ACE, BLACK_THREE
from bot.engine.cards.counts import KINDS_OF, LANES_OF, RANKS, Counts, black_threes, tally
from bot.engine.cards.places import DEUCE_MELD, WILD_MELD, Family
from bot.engine.law import foot, hand_first
from bot.engine.law.keeping import kept, may_keep_one
from bot.engine.law.melding import (
    ends_anyhow,
    why_canasta_banned,
    why_not_combine,
    why_not_grow,
    why_not_lay_run,
    why_not_meld,
    why_spoiled,
)
from bot.engine.law.opening_plan import OpeningPlan
from bot.engine.law.turn_end import could_finish
from bot.engine.melds.shapes import black_three_melds
from bot.engine.moves import phases
from bot.engine.moves.actions import Combine, LayRun, Meld, Step, meld
from bot.engine.moves.refusals import Refusal
from bot.engine.reach.openings import NEEDING_CLEAN, Goal, goals_in
from bot.engine.reach.regrouping import may_combine
from bot.engine.reach.runs import run_steps
from bot.engine.reach.set_steps import HELD, LYING, Held, free_for_sets, set_steps, useful, wilds_to_lay
from bot.engine.reach.standing import Standing, standing_of
from bot.engine.table.queries import has_grown, melds_no_more, must_go_out
from bot.engine.table.state import State


def laying_steps(state: State) -> Sequence[Step]:
    """Every legal way to lay cards, or to lay melds together."""
    opens = not (state.opened[state.side] or state.permission is True or has_grown(state))
    goals = goals_in(state) if opens else None
    steps: Sequence[Step] = _melding(state, goals)
    blacks = black_threes(state.packed[state.turn])
    if blacks and len(state.hands[state.turn]) - blacks <= 1:  # they are laid in going out, with one card left at most
        laid = [meld(BLACK_THREE, count) for count in black_three_melds(state.rules)[1:] if blacks >= count]
        steps = [*steps, *[step for step in laid if why_not_meld(state, step) is None]]
    return steps


def _melding(state: State, goals: Sequence[Goal] | None) -> Sequence[Step]:
    """Every legal way to lay cards but black threes, or to lay melds together.

    `goals` are the ways in which a side opens that has not; None for one that has, or that has to go out.
    """
    rules = state.rules
    standing = standing_of(state)
    many = rules.same_rank_melds == "many"
    if melds_no_more(state):
        return _combining(state, standing) if many else ()
    plan = None if goals is None else _opening_plan(state, standing, goals)
    steps: Sequence[Step] = ()
    if plan is None or not plan.hopeless:
        found, most = _shaped(standing, state.packed[state.turn])
        if "seq" in rules.meld_kinds:
            most = max(most, _add_runs(found, state, standing))
        if standing.limits is not None:
            found = [step for step in found if why_canasta_banned(state, standing, step.place, step.size) is None]
        if (not most or ends_anyhow(state, most)) and not (standing.opening and rules.open_shape in NEEDING_CLEAN):
            steps = found
        elif found:
            steps = _lawful(state, standing, found, plan)
    return [*steps, *_combining(state, standing)] if many else steps


def _opening_plan(state: State, standing: Standing, goals: Sequence[Goal]) -> OpeningPlan | None:
    """The plan by which the side in turn can open.

    None where the seat has begun to open from its hand, or may win the game while it does.
    """
    from_hand = state.phase is not phases.PLAY
    if from_hand and (state.rules.wins_at_once or hand_first.is_pending(state)):
        return None
    return OpeningPlan(state, standing, goals, from_hand=from_hand)


def _add_runs(found: list[Meld | LayRun], state: State, standing: Standing) -> int:
    """Add the runs that may be laid to `found`; answers with the size of the largest."""
    runs = run_steps(standing, state.hands[state.turn])
    if runs and standing.rules.seq_rule == "grows_going_out":
        runs = [step for step in runs if why_not_grow(state, standing, step) is None]
    found += runs
    return max([step.high - step.low + 1 for step in runs]) if runs else 0


def _shaped(standing: Standing, counts: Counts) -> tuple[list[Meld | LayRun], int]:
    """Every way to lay cards that is no run, wherever it leads, and a size that none of them exceeds."""
    rules = standing.rules
    wilds = wilds_to_lay(standing, counts)
    for_sets = useful(rules, free_for_sets(standing, wilds)) if wilds else 0
    ways_of = set_steps(rules, opening=standing.opening)
    naturals = tally(counts)
    fewest = rules.min_naturals if for_sets else max(rules.meld_min, rules.min_naturals)  # that begin another meld
    single = rules.same_rank_melds == "one"
    found: list[Meld | LayRun] = []
    most = 0
    for family in _families(standing, counts, wilds):
        held = (for_sets | naturals[family] if family <= ACE else wilds) << HELD
        new = family
        melds = standing.spread.families.get(family)
        if melds is not None:
            for one in melds:
                size, ways, _ = ways_of[one.place | (one.wilds << 8 | one.naturals) << LYING | held]
                if size:
                    found += ways
                    most |= size  # not the largest, but no size exceeds it
            if family <= ACE and (single or naturals[family] < fewest):
                continue
            if not standing.may_begin(family):
                continue
            new = standing.new_place(family)
        size, ways, _ = ways_of[new | held]
        if size:
            found += ways
            most |= size
    return found, most


def _families(standing: Standing, counts: Counts, wilds: Held) -> Sequence[Family]:
    """The families of which the hand could lay something."""
    rules = standing.rules
    spread = standing.spread
    lanes = counts + (spread.wild if wilds else spread.plain) & RANKS
    if standing.closed:
        lanes &= ~LANES_OF[standing.closed]
    kinds: Sequence[Family] = KINDS_OF[lanes] if "set" in rules.meld_kinds else ()
    if wilds and "deuce" in rules.meld_kinds:
        kinds = (*kinds, DEUCE_MELD)
    enough = (wilds >> 8 & 127) + (wilds >> 16) >= rules.meld_min
    if wilds and "wild" in rules.meld_kinds and (enough or WILD_MELD in spread.families):
        kinds = (*kinds, WILD_MELD)
    return kinds


def _lawful(
    state: State, standing: Standing, steps: Sequence[Meld | LayRun], plan: OpeningPlan | None
) -> Sequence[Meld | LayRun]:
    """The steps after which the turn can end lawfully.

    Where enough cards stay in an open side's hand it always can; only the other steps are asked one by one.
    """
    if hand_first.is_on(state):
        return [step for step in steps if _why_not(state, step) is None]
    must = must_go_out(state) and not state.aside
    if not state.opened[state.side]:
        if must and could_finish(state):
            return [step for step in steps if _why_not(state, step) is None]
        plan = plan or OpeningPlan(state, standing, goals_in(state))
        told = [(step, plan.told(step)) for step in steps]
        return [step for step, legal in told if (_why_not(state, step) is None if legal is None else legal)]
    steps = [step for step in steps if isinstance(step, LayRun) or why_spoiled(state, standing, step) is None]
    finishes = could_finish(state)
    free = 0 if must and finishes else len(state.hands[state.turn]) - kept(state)
    otherwise = state.rules.wins_at_once or may_keep_one(state) or foot.may_be_earned(state)
    if not (finishes or state.aside or otherwise):
        return [step for step in steps if step.size <= free]  # others have to lead to going out
    return [step for step in steps if step.size <= free or _why_not(state, step) is None]


def _why_not(state: State, step: Meld | LayRun) -> Refusal | None:
    return why_not_meld(state, step) if isinstance(step, Meld) else why_not_lay_run(state, step)


def _combining(state: State, standing: Standing) -> Sequence[Combine]:
    """The ways to lay two melds of a rank together, the later one going to the earlier.

    The other way would come to the same.
    """
    found = [
        Combine(moved.place, onto.place)
        for lying in standing.spread.families.values()
        for onto, moved in combinations(lying, 2)
        if may_combine(standing, moved, onto)
    ]
    free = standing.limits is None and not (standing.opening and standing.rules.open_shape in NEEDING_CLEAN)
    if not found or (free and ends_anyhow(state, 0)):
        return found
    return [step for step in found if why_not_combine(state, step) is None]
