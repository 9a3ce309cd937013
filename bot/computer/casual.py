"""The casual player: plays like a person who knows the game, by rules of thumb and without a memory."""

from __future__ import annotations

from bot.computer.discarding import best_discard
from bot.computer.habits import CASUAL, Habits
from bot.computer.next_melds import next_meld, next_turn_gain
from bot.computer.planning import going_out, opening
from bot.computer.simple_rules import are_simple
from bot.computer.situation import Situation, loses_the_game
from bot.computer.taking_pile import best_take
from bot.computer.varied import varied_step
from bot.computer.ways_out import out_with_pile
from bot.computer.wild_cards_back import wild_cards_back
from bot.engine.moves.actions import ANNOUNCE, ASK, DRAW, NO, PASS, YES, Answer, Step
from bot.engine.moves.phases import Phase
from bot.engine.table.views import SeatView

Steps = tuple[Step, ...]

CARDS_TO_STAY = 2
"""One to discard and one to hold: who has fewer after melding must go out."""


class CasualPlayer:
    """Keeps nothing between choices: equal views get equal steps."""

    def __init__(self, habits: Habits = CASUAL) -> None:
        self._habits = habits

    def choose(self, view: SeatView) -> Step:
        """The step it takes; always one of `view.legal`."""
        if len(view.legal) == 1:
            return view.legal[0]
        situation = Situation(view)
        if view.table.phase is Phase.ANSWER:
            wanted: Step | None = answer(situation, self._habits)
        elif not are_simple(view.table.rules):
            wanted = varied_step(situation, self._habits, view.legal)
        elif view.table.phase is Phase.DRAW:
            wanted = begin_turn(situation, self._habits, view.legal)
        else:
            wanted = go_on(situation, self._habits, view.legal)
        return wanted if wanted in view.legal else view.legal[0]


def begin_turn(situation: Situation, habits: Habits, legal: Steps) -> Step:
    """Draw or take the pile; with the stock out, take or end the deal."""
    take = out_with_pile(situation, legal) or best_take(situation, habits, legal)
    if take is not None:
        return take
    return DRAW if DRAW in legal else PASS


def go_on(situation: Situation, habits: Habits, legal: Steps) -> Step | None:
    """After the draw: go out if that can be done and should be, else meld, then discard."""
    stays = situation.view.table.permission is False or loses_the_game(situation)
    step = None if stays else _going_out(situation, habits, legal)
    step = step or wild_cards_back(situation, legal)
    if step is None:
        keep = CARDS_TO_STAY if stays else 0
        step = next_meld(situation, habits, legal, keep=keep) if situation.opened else _opening(situation, legal)
    return step or best_discard(situation, habits, legal)


def _going_out(situation: Situation, habits: Habits, legal: Steps) -> Step | None:
    """The next step of going out: to announce it or ask first, to lay cards, or to discard the last one."""
    plan = going_out(situation.rules, situation.counts, situation.own, canastas_missing=situation.canastas_missing)
    if plan is None:
        return None
    if ANNOUNCE in legal:
        return ANNOUNCE
    if ASK in legal and (situation.rules.needs_word or situation.partner_cards >= habits.ask_from):
        return ASK
    step = plan[0] if plan else best_discard(situation, habits, legal)
    return step if step in legal else None


def _opening(situation: Situation, legal: Steps) -> Step | None:
    """The next step of the cheapest initial meld, if the hand has one."""
    waiting = situation.pile.cards if situation.pile.aside else 0
    plan = opening(
        situation.rules, situation.counts, situation.own, missing=situation.missing, keep=max(0, 2 - waiting)
    )
    first = plan.steps[0] if plan is not None and plan.steps else None
    return first if first in legal else None


def answer(situation: Situation, habits: Habits) -> Answer:
    """Yes, unless this hand would lay down so much in its next turn that waiting for it pays."""
    in_danger = situation.against_may_go_out and situation.fewest_against <= habits.hurry_at
    return NO if not in_danger and next_turn_gain(situation) >= habits.say_no_from else YES
