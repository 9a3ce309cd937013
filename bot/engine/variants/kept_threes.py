"""Threes in a hand: those that wait to be laid out, one kept for a special hand, one drawn as the last card.

By `docs/law/variants.md 3.10`: threes of both colours are laid out in turn and replaced. A side that has not opened may
keep one of them in each of its hands, for the straight; it says so before it draws. Once the side has opened, a kept
three is laid out as the seat's next turn begins. A three that is the last card of the stock may have to stay in the
hand, where it costs little; then play ends at once.
"""

from __future__ import annotations

from bot.engine.cards import Card
from bot.engine.state import State
from bot.engine.threes import parted


def keeps(state: State, seat: int) -> bool:
    """Whether the seat holds a three that it may keep: its only one, while its side has not opened."""
    return may_keep(state, seat) and len(parted(state.rules, state.hands[seat])[1]) == 1


def may_keep(state: State, seat: int) -> bool:
    """Whether the seat may have a three in its hand, for the straight.

    What it has been dealt is laid out at its first turn, where it is not at once.
    """
    rules = state.rules
    if not rules.keeps_three or state.opened[state.seating.side_by_seat[seat]]:
        return False
    return rules.red3_timing == "immediate" or state.turns >= len(state.seating.seats)


def stuck(state: State) -> Card | None:
    """The three that the seat in turn has just drawn as the last card of the stock, and that stays in its hand."""
    rules = state.rules
    if rules.last_three is None or state.stock or state.stock_out != state.turn or not state.fresh:
        return None
    last = state.fresh[-1]
    return last if last >> 2 in rules.laid_out else None
