"""The casual player: plays like a person who knows the game, by rules of thumb and without a memory."""

from __future__ import annotations

from typing import Final

from bot.computer.discarding import best_discard
from bot.computer.melding import next_meld, next_turn_gain
from bot.computer.planning import going_out, opening
from bot.computer.situation import Situation
from bot.computer.taking import best_take
from bot.engine.actions import ASK, DRAW, NO, PASS, YES, Answer, Step
from bot.engine.phases import Phase
from bot.engine.views import SeatView

ASK_FROM_CARDS: Final = 5
"""Cards a partner should hold to be asked; with fewer there is nothing to wait for."""

SAY_NO_FROM_GAIN: Final = 500
"""Points the own next turn should bring before the partner is told to wait."""


class CasualPlayer:
    """Keeps nothing between choices: equal views get equal steps."""

    def choose(self, view: SeatView) -> Step:
        """The step it takes; always one of `view.legal`."""
        if len(view.legal) == 1:
            return view.legal[0]
        situation = Situation(view)
        if view.table.phase is Phase.ANSWER:
            wanted: Step | None = answer(situation)
        elif view.table.phase is Phase.DRAW:
            wanted = begin_turn(situation, view.legal)
        else:
            wanted = go_on(situation, view.legal)
        return wanted if wanted in view.legal else view.legal[0]


def begin_turn(situation: Situation, legal: tuple[Step, ...]) -> Step:
    """Draw or take the pile; with the stock out, take or end the deal."""
    take = best_take(situation, legal)
    if take is not None:
        return take
    return DRAW if DRAW in legal else PASS


def go_on(situation: Situation, legal: tuple[Step, ...]) -> Step | None:
    """After the draw: go out if that can be done, else open, meld and discard."""
    if situation.permission is not False:
        plan = going_out(situation.rules, situation.counts, situation.own, canastas_missing=situation.canastas_missing)
        if plan is not None:
            if ASK in legal and should_ask(situation):
                return ASK
            step = plan[0] if plan else None
            if step in legal:
                return step
            if step is None:
                return best_discard(situation, legal)
    if not situation.opened:
        below = situation.pile.cards if situation.pile.aside else 0
        found = opening(
            situation.rules, situation.counts, situation.own, missing=situation.missing, keep=max(0, 2 - below)
        )
        if found is not None and found.steps[0] in legal:
            return found.steps[0]
    else:
        step = next_meld(situation, legal)
        if step is not None:
            return step
    return best_discard(situation, legal)


def should_ask(situation: Situation) -> bool:
    """Whether the partner may have a reason to say no: a hand worth laying down first."""
    return situation.partner_cards >= ASK_FROM_CARDS


def answer(situation: Situation) -> Answer:
    """Yes, unless this hand would lay down more in its next turn than waiting for it risks."""
    return NO if next_turn_gain(situation) >= SAY_NO_FROM_GAIN else YES
