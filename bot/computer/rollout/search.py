"""The expert player: tries each sensible step in many random deals of the hidden cards.

Players by fitted numbers finish these deals.
"""

from __future__ import annotations

from random import Random
from typing import Final, NamedTuple

from bot.computer.chosen_step import Choice, RejectedStep, nearest_rejected_steps
from bot.computer.heuristics.reasons import reason_against, reason_for
from bot.computer.heuristics.rule_of_thumb_player import choice_of_only_step
from bot.computer.heuristics.situation import Situation
from bot.computer.memory_of_a_deal import BLANK, Memory
from bot.computer.rollout import is_compiled
from bot.computer.rollout.discards import discard_costs
from bot.computer.rollout.engine_conversion import claim_as_step, is_searched_by_experts, unseen_cards, world_of
from bot.computer.rollout.fitted_numbers import are_fitted_numbers_better, fitted_numbers_for
from bot.computer.rollout.likely_hands import card_likelihoods, likelihood_factor_of_pairs
from bot.computer.rollout.player import StrongPlayer, can_rollout_player_decide, next_step
from bot.computer.rollout.policy import ways_to_take_pile
from bot.computer.rollout.rollouts import (
    DISCARD,
    DRAW,
    LAY,
    PASS,
    TAKE,
    HiddenCards,
    ScoresBeforeDeal,
    Trial,
    sums_of_outcomes,
)
from bot.computer.rollout.runs.choosing_steps import card_to_discard, is_sensible_wild_meld, trials_with_runs
from bot.computer.rollout.runs.conversion_with_suits import unseen_cards_with_suits
from bot.computer.rollout.runs.dealing import card_likelihoods_by_suit
from bot.computer.rollout.runs.discards import discard_costs_with_suits
from bot.computer.rollout.world import World
from bot.engine.cards.cards import ACE, BLACK_THREE, TWO
from bot.engine.cards.meld_places import WILD_MELD
from bot.engine.moves.actions import Discard, Draw, DrawKeeping, Meld, Pass, Step, Take
from bot.engine.moves.phases import Phase
from bot.engine.table.views import SeatView

PLAIN: Final = 300
COMPILED: Final = 1_000
"""Number of rollouts for one decision, by the rollout world's form."""

WITH_RUNS: Final = 0.75
WITH_THREE_SIDES: Final = 0.5
LONGER: Final = 0.35
"""Shares of `PLAIN` and `COMPILED` that forms with runs get.

Rollouts with runs take more than twice as long, half as long again with three sides, and twice as long again if going
out needs runs (`LONGER`).
"""

FEWEST_DISCARDS: Final = 6
ROLLOUTS_A_DISCARD: Final = 80
"""A decision tries one discard for this many rollouts, and at least `FEWEST_DISCARDS`."""

MOST_MELDS: Final = 4
"""Maximum number of melds that are tried."""

AT_ONCE: Final = 10
"""Rollouts per call; kept small, because the compiled form lets other threads run only between calls."""

MARGIN: Final = 10
"""Points by which a step must beat the strong player's own choice, because means of rollouts have errors."""

MARGIN_WITH_FEET: Final = 60
"""Points by which a step must beat the strong player's own in deals with feet.

Their scores are three times as large, and their rollouts fewer.
"""

KEPT: Final = 0.5
"""Fraction of the steps kept after each round."""


class ExpertPlayer:
    """Plays rules known to the rollout world by search, and others like the strong player."""

    def __init__(self, rollouts: int | None = None) -> None:
        self._rollouts = rollouts or (COMPILED if is_compiled() else PLAIN)
        self._strong = StrongPlayer()

    def choose(self, view: SeatView, memory: Memory = BLANK) -> Choice:
        """Return the player's choice for its turn; the step is always one of `view.legal`."""
        if len(view.legal) == 1:
            return choice_of_only_step(view)
        if not can_rollout_player_decide(view, memory) or not is_searched_by_experts(view.table.rules):
            return self._strong.choose(view, memory)
        situation = Situation(view, memory)
        world, numbers = world_of(view, memory), fitted_numbers_for(view.table.rules, len(view.table.sides))
        rollouts = _affordable_rollouts(self._rollouts, world)
        discards = max(FEWEST_DISCARDS, rollouts // ROLLOUTS_A_DISCARD)
        if world.suits is not None:
            trials = trials_with_runs(world, numbers, situation, most_discards=discards)
            suits = discard_costs_with_suits(world, numbers)[1]
            if len(trials) < 2:
                step = next(iter(trials), view.legal[0])
                return Choice(step, *reason_for(situation, step), card=card_to_discard(step, suits))
        else:
            own = None if are_fitted_numbers_better(view.table.rules) else self._strong.choose(view, memory)
            first = next_step(world, numbers, situation) if own is None else own.step
            if first is not None and not _can_rollouts_try(first, world, view.table.phase):
                return own or self._strong.choose(view, memory)
            steps = _sensible_steps(view, world, numbers, situation, first=first, most_discards=discards)
            trials, suits = {step: _trial_of(step) for step in steps}, []
            if len(trials) < 2:
                return self._strong.choose(view, memory)
        found = _weigh_steps(view, memory, world, numbers, trials, rollouts=rollouts)
        best = found[0]
        told = reason_for(situation, best.step)
        rivals = (
            RejectedStep(one.step, *reason_against(situation, one.step, told), max(0.0, best.mean - one.mean))
            for one in found[1:]
        )
        return Choice(best.step, *told, nearest_rejected_steps(rivals), card_to_discard(best.step, suits))


def _affordable_rollouts(rollouts: int, world: World) -> int:
    """Return how many of these rollouts a decision in this form may take.

    Deals with feet, or with canastas that take no further cards, take two and a half to four times as long as others,
    and those of three or more sides longer still.
    """
    if world.form.careful:
        return rollouts // (2 if world.form.sides == 2 else 3 if world.form.seats <= 4 else 4)
    if world.suits is None:
        return rollouts
    if world.form.runs_needed:
        return round(rollouts * LONGER)
    return round(rollouts * (WITH_RUNS if world.form.sides == 2 else WITH_THREE_SIDES))


class WeighedStep(NamedTuple):
    """A step with its mean value in rollouts and the number of these."""

    step: Step
    mean: float
    rollouts: int


def _weigh_steps(
    view: SeatView, memory: Memory, world: World, numbers: list[float], trials: dict[Step, Trial], *, rollouts: int
) -> list[WeighedStep]:
    """Return the steps with their mean values, the chosen one first.

    After each round of rollouts the worse steps are dropped. The first step is the strong player's own; it is tried to
    the end.
    """
    steps = list(trials)
    own = steps[0]
    random = Random(_seed_from_view(view, memory))
    hidden, scores_before = hidden_cards_of(view, memory, world), _scores_before_deal(view)
    sums = dict.fromkeys(steps, 0.0)
    counts = dict.fromkeys(steps, 0)
    left = list(steps)
    rounds = max(1, (len(steps) - 1).bit_length())
    for _ in range(rounds):
        count = max(4, rollouts // rounds // len(left))
        tried = [trials[step] for step in left]
        for begun in range(0, count, AT_ONCE):
            more = min(AT_ONCE, count - begun)
            found = sums_of_outcomes(world, hidden, tried, numbers, scores_before, count=more, random=random)
            for step, total in zip(left, found, strict=True):
                sums[step] += total
                counts[step] += more
        left = _without_repeated_steps(left, sums)
        left.sort(key=lambda step: -sums[step] / counts[step])
        left = left[: max(2, round(len(left) * KEPT))]
        left += [own] if own not in left else []
        if len(left) == 1:
            break
    weighed = {step: WeighedStep(step, sums[step] / counts[step], counts[step]) for step in steps}
    margin = MARGIN_WITH_FEET if world.form.foot_size else MARGIN
    best = left[0] if weighed[left[0]].mean >= weighed[own].mean + margin else own
    return sorted(weighed.values(), key=lambda one: (one.step != best, one.step not in left, -one.mean))


def _without_repeated_steps(steps: list[Step], sums: dict[Step, float]) -> list[Step]:
    """Return the steps without those whose rollouts all ended like those of an earlier step.

    Such steps lay the same melds in another order.
    """
    first: dict[float, Step] = {}
    for step in steps:
        first.setdefault(sums[step], step)
    return list(first.values())


def _sensible_steps(
    view: SeatView,
    world: World,
    numbers: list[float],
    situation: Situation,
    *,
    first: Step | None,
    most_discards: int,
) -> list[Step]:
    """Return the steps worth trying; `first`, the strong player's own choice, comes first."""
    steps: list[Step] = [] if first is None or first not in view.legal else [first]
    starts = [step for step in view.legal if isinstance(step, Draw | DrawKeeping | Take | Pass)]
    steps += [step for step in starts if _can_rollouts_try(step, world, view.table.phase)]
    melds = [step for step in view.legal if isinstance(step, Meld) and _is_sensible_meld(step, situation)]
    melds = [step for step in melds if _can_rollouts_try(step, world, view.table.phase)]
    steps += sorted(melds, key=lambda step: (step.twos + step.jokers, -step.naturals))[:MOST_MELDS]
    if situation.opened or not view.laid_points:
        costs = discard_costs(world, numbers)
        discards = [step for step in view.legal if isinstance(step, Discard)]
        steps += sorted(discards, key=lambda step: costs[step.kind])[:most_discards]
    return list(dict.fromkeys(steps))


def _can_rollouts_try(step: Step, world: World, phase: Phase) -> bool:
    """Return whether rollouts can try the step.

    They cannot ask the partner or show a special hand, and the policy must be able to play on after the step.
    """
    if isinstance(step, Meld):
        return phase is Phase.PLAY
    if isinstance(step, Take):
        return step in [claim_as_step(claim) for claim in ways_to_take_pile(world)]
    return isinstance(step, Draw | DrawKeeping | Pass | Meld | Discard)


def _is_sensible_meld(step: Meld, situation: Situation) -> bool:
    """Return whether a meld deserves a trial.

    It must lay all naturals of its rank and few wild cards, twos before jokers.
    """
    if step.kind == WILD_MELD:
        lying = situation.own.get(WILD_MELD)
        return is_sensible_wild_meld(step, situation, 0 if lying is None else lying.size)
    if step.kind > ACE:
        return step.kind == BLACK_THREE and step.size >= situation.held - 1
    wilds = step.twos + step.jokers
    if step.naturals != _most_naturals(step.kind, situation) or (step.jokers and step.twos < situation.counts[TWO]):
        return False
    lying = situation.own.get(step.kind)
    size = step.size + (lying.size if lying is not None else 0)
    return not wilds or size >= situation.rules.canasta_size - 1 or step.size == situation.rules.meld_min


def _most_naturals(kind: int, situation: Situation) -> int:
    """Return how many cards of a rank the hand can lay at once.

    If the size of melds is limited, it is no more than the meld on the table, or a new one, still takes.
    """
    rules, lying = situation.rules, situation.own.get(kind)
    size = 0 if lying is None or lying.size >= rules.canasta_size else lying.size
    held = situation.counts[kind]
    return held if rules.meld_max is None else min(held, rules.meld_max - size)


def _trial_of(step: Step) -> Trial:
    """Return the step in the form in which rollouts try it."""
    match step:
        case Take(naturals, twos, jokers):
            return TAKE, 0, naturals, twos, jokers
        case Meld():
            return LAY, step.kind, step.naturals, step.twos, step.jokers
        case Discard(kind):
            return DISCARD, kind, 0, 0, 0
        case Pass():
            return PASS, 0, 0, 0, 0
        case _:
            return DRAW, 0, 0, 0, 0


def hidden_cards_of(view: SeatView, memory: Memory, world: World) -> HiddenCards:
    """Return the cards that the seat has not seen, and how many of them each hand holds."""
    table = view.table
    needs, early = [], []
    for place, seat in enumerate(table.playing):
        own = seat == view.seat
        needs.append(0 if own else max(0, world.held[place] - world.certain[place]))
        early.append(not own and world.form.late_reds and _has_had_no_turn(view, place))
    form, weights = world.form, card_likelihoods(world) if world.suits is None else card_likelihoods_by_suit(world)
    unseen, paired = unseen_cards(view, world), likelihood_factor_of_pairs(world)
    hidden = HiddenCards(unseen, needs, early, weights, paired, keeps_reds=form.keeps_reds, blacks_out=form.blacks_out)
    hidden.exact = [] if world.suits is None else unseen_cards_with_suits(view, memory)
    return hidden


def _has_had_no_turn(view: SeatView, place: int) -> bool:
    """Return whether the seat has not had a turn in this deal."""
    table = view.table
    turn = table.playing.index(table.turn)
    return table.turns + (place - turn) % len(table.playing) < len(table.playing)


def _scores_before_deal(view: SeatView) -> ScoresBeforeDeal:
    """Return the totals and the target by which rollouts are valued."""
    table = view.table
    own = table.seats[view.seat].side
    totals = [max(side.scores) if side.side != own else _score_of_own_side(view, side.scores) for side in table.sides]
    last = table.rules.rounds is not None and table.deal >= table.rules.rounds
    target = -(10**6) if last else table.rules.target if table.rules.rounds is None else 10**6
    return ScoresBeforeDeal(own, totals, target)


def _score_of_own_side(view: SeatView, scores: tuple[int, ...]) -> int:
    """Return the score of the seat, or of its side if partners share one."""
    seats = view.side.seats
    return scores[seats.index(view.seat)] if len(scores) > 1 else scores[0]


def _seed_from_view(view: SeatView, memory: Memory) -> int:
    """Return a seed that follows from the view, so that equal views give equal choices in every process."""
    table = view.table
    cards = (*view.hand, -1, *memory.pile, -1, *(info.cards for info in table.seats))
    return hash((table.deal, table.turns, view.seat, table.stock, len(view.legal), *cards))
