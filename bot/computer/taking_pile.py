"""Whether the pile is worth taking."""

from __future__ import annotations

from bot.computer.habits import Habits
from bot.computer.situation import Situation
from bot.engine.moves.actions import TAKE_ADD, TAKE_PAIR, TAKE_WITH_JOKER, TAKE_WITH_TWO, Step, Take


def best_take(situation: Situation, habits: Habits, legal: tuple[Step, ...]) -> Take | None:
    """The cheapest way to take the pile that it is worth, or None when drawing is better.

    Adding the top to a meld costs nothing; a pair makes a natural set of it; a wild card must be paid for by the
    cards below. A take that is legal before the side has opened opens it, which is always worth it.
    """
    for take, least in (
        (TAKE_ADD, habits.take_add_from),
        (TAKE_PAIR, habits.take_pair_from if situation.opened else 1),
        (TAKE_WITH_TWO, habits.take_two_from),
        (TAKE_WITH_JOKER, habits.take_joker_from),
    ):
        if take in legal and situation.pile.cards >= least:
            return take
    return None
