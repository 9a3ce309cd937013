"""The legal ways to meld, listed in a fixed order, with the plan of an initial meld.

The order is: ranks from four to ace, twos as a rank, wild cards alone; runs by suit; merging two melds; black threes.
Within a family, additions to existing melds come before a new one.

First every way to put cards somewhere is listed, then those after which the turn cannot end legally are removed.
`bot.engine.law.meld_refusals` decides about a single step; the list gives the same answers faster, for many steps at
once.

A side that has not opened may only take steps after which its minimum can still be reached. The points of all families
but that of the step are computed once for all steps (`bot.engine.reach.opening_points.FamilySums`); the remaining cases
are decided step by step.

Decides `docs/law/classic.md 1.11, 1.23, 1.24`. Reads `auto_win`, `canasta_size`, `dead_ranks`, `meld_kinds`,
`meld_min`, `min_naturals`, `open_shape`, `open_waiver`, `same_rank_melds`, `seq_rule`, `theme`, `wild_lock`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from operator import mul

from bot.engine.cards.cards import ACE, BLACK_THREE, JOKER, TWO, value_class
from bot.engine.cards.meld_places import DEUCE_MELD, WILD_MELD, Family
from bot.engine.cards.packed_counts import (
    KINDS_OF,
    LANES_OF,
    RANKS,
    Counts,
    count_black_threes,
    numbers_by_kind,
    pack_counts,
)
from bot.engine.law import foot_and_talon, opening_from_hand
from bot.engine.law.initial_meld import place_of_waiving_canasta
from bot.engine.law.meld_refusals import (
    can_surely_end_turn,
    why_canasta_banned,
    why_not_combine,
    why_not_extend_full_run,
    why_not_lay_run,
    why_not_meld,
    why_not_spoil_clean_meld,
)
from bot.engine.law.turn_end import can_obliged_seat_go_out, cards_to_keep, may_keep_one_card
from bot.engine.melds.meld_shapes import sizes_of_black_three_melds
from bot.engine.moves import phases
from bot.engine.moves.actions import Combine, LayRun, Meld, Step, meld_step
from bot.engine.moves.refusals import Refusal
from bot.engine.reach.dividing_wild_cards import divisions_of_wilds, meldable_wilds
from bot.engine.reach.merging_melds import may_merge_melds
from bot.engine.reach.opening_goals import NEEDING_CLEAN, Goal, goals_of_turn, place_of_uncounted_top
from bot.engine.reach.opening_points import FamilySums, Own
from bot.engine.reach.quick_bounds import SWITCHED_OFF, is_out_impossible
from bot.engine.reach.runs import run_steps
from bot.engine.reach.set_steps import HELD, LYING, Held, meldable_wilds_of, set_steps, usable_wilds, wilds_for_sets
from bot.engine.reach.turn_outlook import Standing, standing_of
from bot.engine.table.state import State
from bot.engine.table.state_queries import (
    coming_card,
    has_run_grown,
    may_not_meld,
    must_go_out,
    naturals_needed,
    number_coming_after_opening,
)


@value_class
class _OpeningAim:
    """A goal of the initial meld that sums have not ruled out, and the points that it still lacks.

    `sums` holds the points of the families for each division of the wild cards. It is empty if sums cannot decide about
    this goal.
    """

    goal: Goal
    lacking: int
    sums: Sequence[FamilySums]


class OpeningPlan:
    """The goals that the seat in turn, whose side has not opened, can still reach.

    `hopeless` says that no step can lead to a legal end of the turn. A plan made with `from_hand`, before the draw,
    knows only whether it is hopeless.
    """

    def __init__(self, state: State, standing: Standing, goals: Sequence[Goal], *, from_hand: bool = False) -> None:
        self._state = state
        self._rules = state.rules
        self._standing = standing
        self._hand = state.hands[state.turn]
        self._counts = state.packed[state.turn]
        if from_hand and opening_from_hand.must_take_with_naturals(state):
            # the naturals that will claim the top card must stay in the hand
            self._counts -= naturals_needed(state, opened=True) << 8 * (state.pile[-1] >> 2)
        self._held = numbers_by_kind(self._counts)
        self._has_runs = "seq" in state.rules.meld_kinds
        self._binding = state.rules.wild_lock != "none"
        self._locked = bool(standing.locked_wild_kinds())
        self._aims = [aim for goal in goals if (aim := self._opening_aim(goal)) is not None]
        self._apart = place_of_uncounted_top(state.rules, state.claimed) is not None
        self._most_cards = len(self._hand) - max(0, cards_to_keep(state) - self._number_of_coming_cards())
        self._otherwise: bool | None = False if from_hand else None
        self.hopeless = not self._aims and not self._may_end_without_minimum()

    def is_legal(self, step: Meld | LayRun) -> bool | None:
        """Return whether the step is legal, or None if sums cannot tell.

        They cannot tell if they reach no goal after the step: the seat may still go out without the minimum, or need to
        keep fewer cards, because a card or a foot comes when the side opens.
        """
        reached = [self._is_goal_in_reach(aim, step) for aim in self._aims]
        if True in reached:
            return None if self._apart else True
        return None if None in reached or self._may_end_without_minimum() else False

    def _opening_aim(self, goal: Goal) -> _OpeningAim | None:
        """Return the goal with the points that it lacks, or None if sums show that it cannot be reached."""
        lacking = goal.points - self._state.laid_points
        standing = self._standing
        if sum(map(mul, self._held, self._rules.card_values)) < lacking:
            return None
        if "sums" in SWITCHED_OFF or goal.groups or standing.limits is not None:
            return _OpeningAim(goal, lacking, ())
        deals = divisions_of_wilds(standing, *meldable_wilds(standing, self._held), wilds=goal.wilds)
        # a meld of wild cards on the table already meets the demand for one
        lies = goal.demand == "wild" and bool(standing.melds_of_family(WILD_MELD))
        sums = [FamilySums(standing, self._held, "none" if lies else goal.demand, deal) for deal in deals]
        if self._has_runs:
            return _OpeningAim(goal, lacking, sums)
        sums = [
            one
            for one in sums
            if one.high >= lacking and (one.surely_reaches_points((), lacking) or one.most_points() >= lacking)
        ]
        return _OpeningAim(goal, lacking, sums) if sums else None

    def _number_of_coming_cards(self) -> int:
        """Return the number of cards certain to come to the hand when the side opens."""
        return number_coming_after_opening(self._state)

    def _may_end_without_minimum(self) -> bool:
        """Return whether the turn may end without the minimum.

        That is by going out, by winning the game, or by a canasta with the pile's top.
        """
        if self._otherwise is None:
            claims = place_of_waiving_canasta(self._rules, self._state.claimed) is not None
            wins = self._rules.wins_at_once
            self._otherwise = claims or wins or (not self._can_never_finish() and cards_to_keep(self._state) > 0)
        return self._otherwise

    def _can_never_finish(self) -> bool:
        """Return whether the whole hand certainly cannot be melded in this turn.

        If one visible card is still to come from the pile, it counts with the hand.
        """
        hand, counts = self._hand, self._counts
        card = coming_card(self._state) if self._number_of_coming_cards() == 1 else None
        if card is not None:
            hand, counts = (*hand, card), counts + pack_counts((card,))
        return is_out_impossible(self._standing, hand, counts)

    def _is_goal_in_reach(self, aim: _OpeningAim, step: Meld | LayRun) -> bool | None:
        """Return whether the goal can be reached after the step, or None if sums cannot decide.

        They cannot decide about runs, nor about wild cards that the step binds or frees. False means that the goal
        cannot be reached even if no card is kept.
        """
        lacking = aim.lacking - self._points_of(step)
        most = self._most_cards
        if isinstance(step, LayRun):
            ranks = range(step.low, step.high + 1)
            return (
                any(one.usable + step.size <= most and one.surely_reaches_points(ranks, lacking) for one in aim.sums)
                or None
            )
        family = step.kind
        for one in aim.sums:
            if one.usable <= most and one.surely_reaches_points((family,), lacking):
                return True
        if not self._can_sums_decide(aim, step):
            return None
        reached: bool | None = None if self._has_runs else False
        for one in aim.sums:
            own = self._family_points_after(one, step)
            if own is None or one.most_points(family, own, (step.twos, step.jokers, 0)) < lacking:
                continue
            spare = max(0, one.usable - most)
            gone = step.twos, step.jokers, spare
            if not spare or (step.size <= most and one.most_points(family, own, gone) >= lacking):
                return True
            reached = None
        return reached

    def _points_of(self, step: Meld | LayRun) -> int:
        """Return the points of the cards that a step melds."""
        values = self._rules.card_values
        if isinstance(step, LayRun):
            return sum(values[step.low : step.high + 1])
        points = step.twos * values[TWO] + step.jokers * values[JOKER]
        return points + step.naturals * values[step.kind] if step.naturals else points

    def _can_sums_decide(self, aim: _OpeningAim, step: Meld) -> bool:
        """Return whether sums can decide about the goal after that step."""
        if not aim.sums or step.kind == DEUCE_MELD:
            return False
        # a meld of wild cards may bind the others, or may itself be what the goal demands
        if step.kind == WILD_MELD and (self._binding or aim.goal.demand == "wild"):
            return False
        return not (step.twos or step.jokers) or (aim.goal.wilds and not self._locked)

    def _family_points_after(self, sums: FamilySums, step: Meld) -> Own | None:
        """Return the points that the step's family can still get after the step.

        None if the hand has too few cards of the family for the step.
        """
        family, naturals = step.kind, step.naturals
        melds = {meld.place: (meld.naturals, meld.wilds) for meld in self._standing.melds_of_family(family)}
        lying = melds.get(step.place, (0, 0))
        lies = melds[step.place] = lying[0] + naturals, lying[1] + step.size - naturals
        if family == WILD_MELD:
            left, wilds = 0, sums.deal.most
        elif self._rules.dead_ranks and sum(lies) >= self._rules.canasta_size:
            left, wilds = 0, 0
        else:
            left, wilds = self._held[family] - naturals, sums.deal.spare
        return sums.table[family, tuple(melds.values()), left, wilds, False] if left >= 0 else None


def laying_steps(state: State) -> Sequence[Step]:
    """Return every legal way to meld cards, or to merge melds."""
    opens = not (state.opened[state.side] or state.permission is True or has_run_grown(state))
    goals = goals_of_turn(state) if opens else None
    steps: Sequence[Step] = _melding_steps(state, goals)
    blacks = count_black_threes(state.packed[state.turn])
    if blacks and len(state.hands[state.turn]) - blacks <= 1:  # black threes are melded only in going out
        sizes = sizes_of_black_three_melds(state.rules)[1:]
        laid = [meld_step(BLACK_THREE, size) for size in sizes if blacks >= size]
        steps = [*steps, *[step for step in laid if why_not_meld(state, step) is None]]
    return steps


def _melding_steps(state: State, goals: Sequence[Goal] | None) -> Sequence[Step]:
    """Return every legal way to meld cards except black threes, or to merge melds.

    `goals` are the ways to open; None for a side that has opened, or a seat that must go out.
    """
    rules = state.rules
    standing = standing_of(state)
    many = rules.same_rank_melds == "many"
    if may_not_meld(state):
        return _merging_steps(state, standing) if many else ()
    plan = None if goals is None else _opening_plan(state, standing, goals)
    steps: Sequence[Step] = ()
    if plan is None or not plan.hopeless:
        found, most = _set_steps_in_hand(standing, state.packed[state.turn])
        if "seq" in rules.meld_kinds:
            most = max(most, _add_runs(found, state, standing))
        if standing.limits is not None:
            found = [step for step in found if why_canasta_banned(state, standing, step.place, step.size) is None]
        if (not most or can_surely_end_turn(state, most)) and not (
            standing.opening and rules.open_shape in NEEDING_CLEAN
        ):
            steps = found
        elif found:
            steps = _filter_legal_steps(state, standing, found, plan)
    return [*steps, *_merging_steps(state, standing)] if many else steps


def _opening_plan(state: State, standing: Standing, goals: Sequence[Goal]) -> OpeningPlan | None:
    """Return the plan by which the side in turn can open.

    None if the seat has begun to open from its hand, or may win the game while it does.
    """
    from_hand = state.phase is not phases.PLAY
    if from_hand and (state.rules.wins_at_once or opening_from_hand.must_take_pile(state)):
        return None
    return OpeningPlan(state, standing, goals, from_hand=from_hand)


def _add_runs(steps: list[Meld | LayRun], state: State, standing: Standing) -> int:
    """Add the possible runs to `steps`; return the size of the largest."""
    runs = run_steps(standing, state.hands[state.turn])
    if runs and standing.rules.seq_rule == "grows_going_out":
        runs = [step for step in runs if why_not_extend_full_run(state, standing, step) is None]
    steps += runs
    return max([step.high - step.low + 1 for step in runs]) if runs else 0


def _set_steps_in_hand(standing: Standing, counts: Counts) -> tuple[list[Meld | LayRun], int]:
    """Return every way to put cards on sets, and an upper bound for their sizes.

    Whether the turn can end legally afterwards is not checked.
    """
    rules = standing.rules
    wilds = meldable_wilds_of(standing, counts)
    for_sets = usable_wilds(rules, wilds_for_sets(standing, wilds)) if wilds else 0
    ways_of = set_steps(rules, opening=standing.opening)
    naturals = numbers_by_kind(counts)
    # the fewest naturals with which a further meld of a rank can begin
    fewest = rules.min_naturals if for_sets else max(rules.meld_min, rules.min_naturals)
    single = rules.same_rank_melds == "one"
    found: list[Meld | LayRun] = []
    most = 0
    for family in _families_to_meld(standing, counts, wilds):
        held = (for_sets | naturals[family] if family <= ACE else wilds) << HELD
        new = family
        melds = standing.spread.families.get(family)
        if melds is not None:
            for one in melds:
                size, ways, _ = ways_of[one.place | (one.wilds << 8 | one.naturals) << LYING | held]
                if size:
                    found += ways
                    most |= size  # this makes `most` an upper bound of the sizes
            if family <= ACE and (single or naturals[family] < fewest):
                continue
            if not standing.may_begin_meld(family):
                continue
            new = standing.new_place(family)
        size, ways, _ = ways_of[new | held]
        if size:
            found += ways
            most |= size
    return found, most


def _families_to_meld(standing: Standing, counts: Counts, wilds: Held) -> Sequence[Family]:
    """Return the families in which the hand could meld something."""
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


def _filter_legal_steps(
    state: State, standing: Standing, steps: Sequence[Meld | LayRun], plan: OpeningPlan | None
) -> Sequence[Meld | LayRun]:
    """Return the steps after which the turn can end legally.

    Where enough cards stay in an open side's hand it always can; only the other steps are checked one by one.
    """
    if opening_from_hand.may_open_from_hand(state):
        return [step for step in steps if _why_not_step(state, step) is None]
    must = must_go_out(state) and not state.aside
    if not state.opened[state.side]:
        if must and can_obliged_seat_go_out(state):
            return [step for step in steps if _why_not_step(state, step) is None]
        plan = plan or OpeningPlan(state, standing, goals_of_turn(state))
        judged = [(step, plan.is_legal(step)) for step in steps]
        return [step for step, legal in judged if (_why_not_step(state, step) is None if legal is None else legal)]
    steps = [
        step for step in steps if isinstance(step, LayRun) or why_not_spoil_clean_meld(state, standing, step) is None
    ]
    finishes = can_obliged_seat_go_out(state)
    free = 0 if must and finishes else len(state.hands[state.turn]) - cards_to_keep(state)
    otherwise = state.rules.wins_at_once or may_keep_one_card(state) or foot_and_talon.may_earn_foot(state)
    if not (finishes or state.aside or otherwise):
        return [step for step in steps if step.size <= free]  # after larger steps the seat would have to go out
    return [step for step in steps if step.size <= free or _why_not_step(state, step) is None]


def _why_not_step(state: State, step: Meld | LayRun) -> Refusal | None:
    """Return the refusal of a step of melding, checked by itself; None if it is legal."""
    return why_not_meld(state, step) if isinstance(step, Meld) else why_not_lay_run(state, step)


def _merging_steps(state: State, standing: Standing) -> Sequence[Combine]:
    """Return the steps that merge two melds of a rank, the later one into the earlier.

    The reverse would have the same result.
    """
    found = [
        Combine(moved.place, onto.place)
        for lying in standing.spread.families.values()
        for onto, moved in combinations(lying, 2)
        if may_merge_melds(standing, moved, onto)
    ]
    free = standing.limits is None and not (standing.opening and standing.rules.open_shape in NEEDING_CLEAN)
    if not found or (free and can_surely_end_turn(state, 0)):
        return found
    return [step for step in found if why_not_combine(state, step) is None]
