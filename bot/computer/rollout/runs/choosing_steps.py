"""The rollout player's step in a view of a form with runs, and the further steps worth trying."""

from __future__ import annotations

from typing import Final

from bot.computer.heuristics.situation import Situation, would_lose_game
from bot.computer.rollout.form import BLACK_THREE, JOKER, RANKS, TWO, WILD_RANK
from bot.computer.rollout.policy_numbers import CardsToLay
from bot.computer.rollout.rollouts import DISCARD, LAY, PASS, TAKE, Trial
from bot.computer.rollout.rollouts import DRAW as DRAW_TRIAL
from bot.computer.rollout.runs.conversion_with_suits import laying_step, merging_step, taking_step
from bot.computer.rollout.runs.discards import discard_costs_with_suits
from bot.computer.rollout.runs.moves import ONTO_RUN
from bot.computer.rollout.runs.policy import choose_melds, choose_way_to_take, run_addition, ways_to_take_pile
from bot.computer.rollout.runs.suits_and_runs import RUN
from bot.computer.rollout.world import World
from bot.engine.cards.cards import Card, card_of
from bot.engine.cards.meld_places import is_run
from bot.engine.moves.actions import DRAW, Combine, Discard, Draw, LayRun, Meld, Pass, Step, Take
from bot.engine.moves.actions import PASS as PASS_ON
from bot.engine.moves.phases import Phase

MOST_MELDS: Final = 4
"""Maximum number of melds that are tried."""


def next_step_with_runs(world: World, numbers: list[float], situation: Situation) -> Step | None:
    """Return the rollout player's step with these numbers; None if it is not legal."""
    view, form = situation.view, world.form
    legal, melds = view.legal, view.side.melds
    if view.table.phase is Phase.DRAW:
        top = view.table.pile.top
        takes = (
            {} if top is None else {claim: taking_step(claim, top, melds, form) for claim in ways_to_take_pile(world)}
        )
        claim = choose_way_to_take(world, numbers, [claim for claim, step in takes.items() if step in legal])
        if claim is not None:
            return takes[claim]
        return DRAW if DRAW in legal else PASS_ON if PASS_ON in legal else None
    merging = merging_step(legal, melds, form)
    if merging is not None:
        return merging
    for laying in choose_melds(world, numbers, stays=would_lose_game(situation)):
        step = laying_step(laying, melds, form)
        if step in legal:
            return step
    costs, _ = discard_costs_with_suits(world, numbers)
    discards = [step for step in legal if isinstance(step, Discard)]
    return min(discards, key=lambda step: costs[step.kind]) if discards else None


def trials_with_runs(
    world: World, numbers: list[float], situation: Situation, *, most_discards: int
) -> dict[Step, Trial]:
    """Return the steps worth trying in rollouts, each in the rollouts' form; the player's own comes first.

    If sets of a rank can be merged, that is the only step, and it is not tried.
    """
    view = situation.view
    own = next_step_with_runs(world, numbers, situation)
    if isinstance(own, Combine):
        return {own: (PASS, 0, 0, 0, 0)}
    costs, suits = discard_costs_with_suits(world, numbers)
    steps: list[Step] = [] if own is None else [own]
    steps += [step for step in view.legal if isinstance(step, Draw | Take | Pass)]
    melds = [step for step in view.legal if _is_worth_trying(step, world, situation)]
    steps += sorted(melds, key=_trial_order)[:MOST_MELDS]
    if situation.opened or not view.laid_points:
        discards = [step for step in view.legal if isinstance(step, Discard)]
        steps += sorted(discards, key=lambda step: costs[step.kind])[:most_discards]
    trials = {step: _trial_of(step, world, situation, suits) for step in steps}
    return {step: trial for step, trial in trials.items() if trial is not None}


def _trial_order(step: Step) -> tuple[int, int]:
    """Return the sort key of melds to try: long runs first, then sets with few wild cards."""
    if isinstance(step, Meld):
        return 1 + step.twos + step.jokers, -step.naturals
    return 0, -step.size if isinstance(step, LayRun) else 0


def _is_worth_trying(step: Step, world: World, situation: Situation) -> bool:
    """Return whether a meld deserves a trial.

    It must be the longest run of a suit, or all naturals of a rank with few wild cards.
    """
    if isinstance(step, LayRun):
        return (step.low, step.high) == run_addition(world, step.place & 3)
    if not isinstance(step, Meld):
        return False
    lying = next((one.size for one in situation.view.side.melds if one.place == step.place), 0)
    if step.kind == WILD_RANK:
        return is_sensible_wild_meld(step, situation, lying)
    if step.kind == BLACK_THREE:
        return step.size >= situation.held - 1
    if step.naturals != situation.counts[step.kind] or (step.jokers and step.twos < situation.counts[TWO]):
        return False
    finishes = lying + step.size >= situation.rules.canasta_size - 1
    return not (step.twos or step.jokers) or finishes or step.size == situation.rules.meld_min


def is_sensible_wild_meld(step: Meld, situation: Situation, lying: int) -> bool:
    """Return whether a meld of wild cards deserves a trial; `lying` wild cards are in the meld already.

    It must use as many wild cards as fit, twos first, and reach the minimum if the side has not opened.
    """
    counts, rules = situation.counts, situation.rules
    room = rules.canasta_size - lying
    if step.size != min(room, counts[TWO] + counts[JOKER]) or (step.jokers and step.twos < counts[TWO]):
        return False
    points = step.twos * rules.card_values[TWO] + step.jokers * rules.card_values[JOKER]
    return situation.opened or situation.view.laid_points + points >= situation.view.side.minimum


def _trial_of(step: Step, world: World, situation: Situation, suits: list[int]) -> Trial | None:
    """Return the step in the rollouts' form; None if it needs a meld that the rollout world cannot name."""
    melds, top = situation.view.side.melds, situation.view.table.pile.top
    match step:
        case Take() if top is not None:
            claim = (step.naturals, step.twos, step.jokers)
            if step.onto is not None and is_run(step.onto):
                claim = (ONTO_RUN, 0, 0)
            return (TAKE, 0, *claim) if taking_step(claim, top, melds, world.form) == step else None
        case Meld() | LayRun():
            laying = (
                (step.kind, step.naturals, step.twos, step.jokers) if isinstance(step, Meld) else _cards_of_run(step)
            )
            return (LAY, *laying) if laying_step(laying, melds, world.form) == step else None
        case Discard(kind):
            return DISCARD, kind, suits[kind], 0, 0
        case Pass():
            return PASS, 0, 0, 0, 0
        case _:
            return DRAW_TRIAL, 0, 0, 0, 0


def _cards_of_run(step: LayRun) -> CardsToLay:
    """Return the cards of a run as the rollout world lays them."""
    return RUN + (step.place & 3), step.low, step.high, 0


def card_to_discard(step: Step, suits: list[int]) -> Card | None:
    """Return the exact card of a discard, or None for other steps and for threes and wild cards.

    `suits` has the suit of each kind's cheapest card; it is empty in forms without runs.
    """
    return card_of(step.kind, suits[step.kind]) if suits and isinstance(step, Discard) and step.kind < RANKS else None
