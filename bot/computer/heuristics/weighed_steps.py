"""Turns in rules with runs, wild melds, feet or special hands.

Priorities: show a special hand, go out, open or lay a worthwhile meld, discard.
"""

from __future__ import annotations

from bot.computer.heuristics.discarding import discard_cost
from bot.computer.heuristics.habits import Habits
from bot.computer.heuristics.melds_to_lay import WILD_FAMILIES, StepWeigher, cheapest_meld, reclaiming_step
from bot.computer.heuristics.planning import cheapest_opening
from bot.computer.heuristics.situation import Situation, would_lose_game
from bot.computer.heuristics.ways_out import FinishCheck, going_out_step_with_pile
from bot.engine.cards.cards import NATURAL_KINDS
from bot.engine.moves.actions import ANNOUNCE, ASK, DRAW, PASS, Discard, LayRun, Meld, Show, Step, Take
from bot.engine.moves.phases import Phase

Steps = tuple[Step, ...]

CARDS_TO_STAY = 2
"""Cards to keep after melding, one to discard and one to hold: with fewer the player must go out."""


def weighed_step(situation: Situation, habits: Habits, legal: Steps) -> Step | None:
    """Return the best step under rules with more than simple sets, before or after the draw."""
    weighing = StepWeigher(situation, habits)
    if situation.view.table.phase is Phase.DRAW:
        return _step_before_draw(situation, weighing, legal)
    return _step_after_draw(situation, habits, weighing, legal)


def _step_before_draw(situation: Situation, weighing: StepWeigher, legal: Steps) -> Step:
    """Return the step before the draw; if cards were laid for the pile (`open_pile`), take it."""
    take = going_out_step_with_pile(situation, legal, weighing.prospects.dead) or weighing.best_take(legal)
    if take is not None:
        return take
    if DRAW not in legal and PASS not in legal:
        return next((step for step in legal if isinstance(step, Take)), None) or cheapest_meld(legal) or legal[0]
    return DRAW if DRAW in legal else PASS


def _step_after_draw(situation: Situation, habits: Habits, weighing: StepWeigher, legal: Steps) -> Step | None:
    """Return the step after the draw: show, go out, meld or discard."""
    shown = next((step for step in legal if isinstance(step, Show)), None)
    if shown is not None:
        return shown
    permission = situation.view.table.permission
    stays = permission is False or would_lose_game(situation)
    if permission:
        return (
            FinishCheck(situation, weighing.prospects.dead).finishing_meld(legal)
            or cheapest_meld(legal)
            or _cheapest_discard(situation, habits, weighing, legal)
        )
    if not stays:
        step = _going_out_step(situation, habits, weighing, legal)
        if step is not None:
            return step
    back = reclaiming_step(situation, legal)
    if back is not None:
        return back
    foot = _step_to_foot(situation, habits, weighing, legal)
    if foot is not None:
        return foot
    keep = CARDS_TO_STAY if stays and not situation.view.foot_size else 0
    step = (
        weighing.best_step(legal, keep=keep) if situation.opened else _opening_step(situation, habits, weighing, legal)
    )
    return step or _cheapest_discard(situation, habits, weighing, legal)


def _going_out_step(situation: Situation, habits: Habits, weighing: StepWeigher, legal: Steps) -> Step | None:
    """Return the next step of going out: announce, ask or lay; None if only a discard is left."""
    finish = FinishCheck(situation, weighing.prospects.dead)
    if not situation.opened or not finish.is_possible:
        return None
    if ANNOUNCE in legal:
        return ANNOUNCE
    if ASK in legal and (situation.rules.needs_word or situation.partner_cards >= habits.ask_from):
        return ASK
    if situation.view.must_say:
        return None
    return finish.finishing_meld(legal)


def _step_to_foot(situation: Situation, habits: Habits, weighing: StepWeigher, legal: Steps) -> Step | None:
    """Return the next meld of a turn that empties the hand, so that its foot comes.

    Return None if it cannot or should not.
    """
    if not situation.opened or situation.rules.foot_pickup != "hand_empty" or not situation.view.foot_size:
        return None
    cheap = tuple(step for step in legal if _added_wilds(step) <= habits.foot_wilds)
    return FinishCheck(situation, weighing.prospects.dead, to_foot=True).finishing_meld(cheap) if cheap else None


def _added_wilds(step: Step) -> int:
    """Return the number of wild cards that a step lays with others, not in a meld of their own."""
    return step.twos + step.jokers if isinstance(step, Meld) and step.kind not in WILD_FAMILIES else 0


def _opening_step(situation: Situation, habits: Habits, weighing: StepWeigher, legal: Steps) -> Step | None:
    """Return the next step of the initial meld, or None.

    It follows a cheap plan of sets, or else is the best single step.
    """
    if not any(isinstance(step, Meld | LayRun) for step in legal):
        return None
    waiting = situation.pile.cards if situation.pile.aside else 0
    counts = list(situation.counts)
    for kind in NATURAL_KINDS:
        if kind in situation.aims.useless or (
            counts[kind]
            and (
                weighing.prospects.value_of_rank(kind, counts[kind], 0, 0, lies=True) < habits.open_at
                or weighing.prospects.chance_to_finish(kind, counts[kind], 0) < habits.begin_chance
            )
        ):
            counts[kind] = 0
    plan = cheapest_opening(
        situation.rules, counts, situation.own, missing=situation.missing, keep=max(0, CARDS_TO_STAY - waiting)
    )
    planned = [step for step in plan.steps if step in legal] if plan is not None else []
    if planned:
        return max(planned, key=weighing.gain_of)
    if not situation.view.laid_points and any(
        isinstance(step, Meld) and weighing.is_likely_to_stay_unfinished(step) for step in legal
    ):
        return None  # if the first meld did not open the side, a meld that costs points would have to follow
    return weighing.best_step(legal, keep=0, least_gain=habits.open_at)


def _cheapest_discard(situation: Situation, habits: Habits, weighing: StepWeigher, legal: Steps) -> Discard | None:
    """Return the cheapest discard, counting the prospects it gives up; None if there is none."""
    discards = [step for step in legal if isinstance(step, Discard)]
    return min(
        discards,
        key=lambda step: (
            discard_cost(situation, habits, step.kind) + habits.thrown * weighing.loss_if_discarded(step.kind)
        ),
        default=None,
    )
