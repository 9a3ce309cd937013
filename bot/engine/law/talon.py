"""The talon: bonus cards for a side that opens.

Cards are set aside unseen from the stock when a turn in which a side has opened ends with a discard: more for the first
side to open than for later ones. They come to the hand as that seat's next turn begins. There are none when the pile
was taken in that turn, unless `talon_with_pile` gives them all the same, and none when the stock is too short. A seat
to which they are due may discard its last card without going out: its next turn begins with them.

Decides `docs/law/variants.md 3.10, 3.13`. Reads `talon`, `talon_stock`, `talon_with_pile`.
"""

from __future__ import annotations

from bot.engine.moves.events import SetTalon, TookTalon
from bot.engine.reach.standing import opens_now
from bot.engine.table import threes
from bot.engine.table.state import State


def due(state: State) -> int:
    """How many cards will be set aside for the seat in turn if its side has opened when its turn ends.

    None are where its side opened before this turn.
    """
    rules = state.rules
    if not rules.talon or (state.drew != "stock" and not rules.talon_with_pile) or not opens_now(state):
        return 0
    before = sum(state.opened) - state.opened[state.side]
    if before >= len(rules.talon) or len(state.stock) < rules.talon_stock:
        return 0
    return min(rules.talon[before], len(state.stock) - 1)


def earned(state: State) -> int:
    """How many cards are due to the seat in turn, whose side has opened in this turn."""
    return due(state) if state.opened[state.side] else 0


def set_aside(state: State, seat: int, count: int) -> SetTalon:
    """The next `count` cards of the stock wait for that seat, seen by nobody."""
    return SetTalon(seat, state.stock[: -count - 1 : -1], count)


def waits(state: State, seat: int) -> bool:
    """Whether cards wait for that seat."""
    return bool(state.talons) and bool(state.talons[seat])


def take(state: State, seat: int) -> TookTalon:
    """The cards that wait for the seat come to its hand; threes among them are laid out and replaced from the stock."""
    kept, laid = threes.with_replacements(state.rules, state.talons[seat], state.stock)
    return TookTalon(seat, kept, laid, len(kept))
