"""Prospects of a seat: its best first melds, why it cannot take the pile, and what a meld costs.

Everything is computed from the seat's blinded state, so it does not depend on hidden cards.
"""

from __future__ import annotations

from typing import Final

from bot.engine.cards.cards import ACE
from bot.engine.law.initial_meld import why_melds_do_not_open
from bot.engine.melds.points import unfinished_points
from bot.engine.moves import phases
from bot.engine.moves.actions import LayMelds, LayRun, Meld, Take, TakePile
from bot.engine.moves.refusals import Refusal
from bot.engine.play.decide import decide, why_not_allowed
from bot.engine.play.step_events import events_of_laying_run, events_of_meld
from bot.engine.reach.opening_goals import Goal, goals_of_turn
from bot.engine.reach.opening_points import most_points
from bot.engine.reach.turn_outlook import outlook_of
from bot.engine.table.applying_events import fold
from bot.engine.table.applying_meld_events import cards_melded_by
from bot.engine.table.state import State
from bot.tables.state.offers import FirstMelds

ENOUGH: Final = 100_000
"""Points that no hand reaches: a search for this goal does not end early, and so finds the most points."""


def first_melds_of(state: State) -> FirstMelds | None:
    """Return the points that the unopened side in turn could lay now; None if it has opened.

    Also None if the rules have themes: these make demands on several ranks at once, so the search for the most points
    may take minutes.
    """
    if state.opened[state.side] or state.rules.theme:
        return None
    outlook, goals = outlook_of(state), goals_of_turn(state)
    tried = [Goal(ENOUGH, goal.demand, goal.wilds, goal.groups) for goal in goals]
    best = max(most_points(outlook.standing, outlook.hand, goal, keep=0) for goal in tried)
    required = goals[0].points
    if best >= 0:
        return FirstMelds(outlook.laid_points + best, required, None)
    # At these points the minimum is met, so a refusal can only concern the rules' other demands on an opening.
    return FirstMelds(0, required, why_melds_do_not_open(state, ENOUGH, outlook.standing.melds.values()))


def refusal_to_take_pile(state: State) -> Refusal | None:
    """Return the refusal that prevents the seat in turn from taking the pile.

    It is found by trying a pair of the pile's top card, or no cards if the hand has no such pair. None if this is
    legal, if the pile is empty, or after the draw.
    """
    if state.phase is not phases.DRAW or not state.pile:
        return None
    kind = state.pile[-1] >> 2
    pair = [card for card in state.hands[state.turn] if card >> 2 == kind and kind <= ACE][:2]
    return why_not_allowed(state, state.turn, TakePile(tuple(pair) if len(pair) == 2 else ()))


def penalty_change_of_step(state: State, step: Meld | LayRun) -> int:
    """Return how laying a step changes the side's points for unfinished melds.

    The change is negative if it costs points.
    """
    if not state.rules.incomplete_penalty:
        return 0
    events = (
        events_of_meld(state, step, cards_melded_by(state, step))
        if isinstance(step, Meld)
        else events_of_laying_run(state, step)
    )
    return penalty_change_between(state, fold(state, events))


def penalty_change_of_action(state: State, action: LayMelds | TakePile | Take) -> int:
    """Return how a legal action changes the side's points for unfinished melds.

    The change is negative if it costs points.
    """
    if not state.rules.incomplete_penalty:
        return 0
    return penalty_change_between(state, fold(state, decide(state, state.turn, action)))


def penalty_change_between(before: State, after: State) -> int:
    """Return how many points for unfinished melds the side in turn gains between two states.

    Both states are of the same turn. The number is negative if the side loses points.
    """
    if not before.rules.incomplete_penalty:
        return 0
    return _cost_of_unfinished_melds(after, before.side) - _cost_of_unfinished_melds(before, before.side)


def _cost_of_unfinished_melds(state: State, side: int) -> int:
    """Return the points that the side's unfinished melds would cost."""
    return unfinished_points(state.rules, state.melds[side])
