"""Listing by trial: the steps in play where the rules allow no short cut (`RuleSet.plain`).

Every step that the cards held allow is named, in the fixed order of `bot.engine.legal`, and asked about.
"""

from __future__ import annotations

from bot.engine.actions import Meld, Step, meld
from bot.engine.cards import BLACK_THREE, JOKER, NATURAL_KINDS, TWO, Kind
from bot.engine.counts import tally
from bot.engine.shapes import joins
from bot.engine.state import State
from bot.engine.verify import why_not_meld


def tried_melds(state: State) -> list[Step]:
    """The melds and additions that are legal, black threes last."""
    rules = state.rules
    held = tally(state.packed[state.turn])
    by_place = state.spreads[state.seating.side_by_seat[state.turn]].by_place
    steps: list[Step] = []
    for kind in NATURAL_KINDS:
        lying = by_place.get(kind)
        if lying is None and held[kind] < rules.min_naturals:
            continue
        before = (0, 0) if lying is None else (lying.naturals, lying.wilds)
        steps += [step for step in _ways(state, kind, before, held) if why_not_meld(state, step) is None]
    black = [meld(BLACK_THREE, count) for count in (3, 4) if held[BLACK_THREE] >= count]
    return steps + [step for step in black if why_not_meld(state, step) is None]


def _ways(state: State, kind: Kind, before: tuple[int, int], held: bytes) -> list[Meld]:
    rules = state.rules
    return [
        meld(kind, naturals, twos, jokers)
        for naturals in range(held[kind] + 1)
        for twos in range(held[TWO] + 1)
        for jokers in range(held[JOKER] + 1)
        if naturals + twos + jokers and joins(rules, before, naturals, twos + jokers)
    ]
