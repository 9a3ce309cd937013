"""Ways out: whether the seat in turn can go out, and whether its side can have the canastas for it in this turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine import phases
from bot.engine.actions import Take
from bot.engine.canastas import counting_in
from bot.engine.cards import JOKER, NATURAL_KINDS, TWO, Card
from bot.engine.places import DEUCE_MELD, WILD_MELD, Family, is_run
from bot.engine.queries import gathered_cards, hidden_below
from bot.engine.rules import in_deal
from bot.engine.state import State
from bot.engine.takes import take_steps

# --- canastas --------------------------------------------------------------------------------------------------------


def canastas_in_sight(state: State, takes: Sequence[Take] | None = None) -> bool:
    """Whether the side in turn has as many canastas as going out takes, or could have them when the turn is over.

    Which kinds of canastas it takes, and whether all could be laid, is not asked. Before the draw a card from the stock
    may be any card; or the pile comes where it can be taken: its `takes`, if they are known already.
    """
    rules = state.rules
    needed = max(rules.out_canastas, sum([count for _, count in rules.out_need]))
    lacking = needed - counting_in(rules, state.spreads[state.side])
    if lacking <= 0:
        return True
    hand = state.hands[state.turn]
    if state.phase is not phases.DRAW:
        return _may_make(state, lacking, hand, 0)
    drawn = min(in_deal(rules.draw, state.deal), len(state.stock))
    if drawn and _may_make(state, lacking, hand, drawn):
        return True
    if not (take_steps(state) if takes is None else takes):
        return False
    unknown = hidden_below(state) + min(rules.draw_with_pile, len(state.stock))
    return _may_make(state, lacking, (*hand, state.pile[-1], *gathered_cards(state)), unknown)


def _may_make(state: State, number: int, cards: tuple[Card, ...], more: int) -> bool:
    """Whether so many canastas could be made of these cards, of `more` that may be any, and of unfinished melds.

    The families that lack fewest are looked at: what they lack together has to be there as wild cards or to come.
    """
    rules = state.rules
    size = rules.canasta_size
    unfinished: dict[Family, int] = {}
    finished: list[Family] = []
    for meld in state.melds[state.side]:
        if meld.size >= size:
            finished.append(meld.kind)
        else:
            unfinished[meld.kind] = unfinished.get(meld.kind, 0) + meld.size
    held = [card >> 2 for card in cards]
    wilds = held.count(TWO) + held.count(JOKER)
    lacks: list[int] = []
    if "set" in rules.meld_kinds:
        closed = finished if rules.same_rank_melds == "one" else ()
        most = min(wilds, rules.max_wilds) + more
        of_ranks = [size - held.count(kind) - unfinished.get(kind, 0) for kind in NATURAL_KINDS if kind not in closed]
        lacks += [lack for lack in of_ranks if lack <= most]
    if "seq" in rules.meld_kinds:
        lying = {
            card for meld in state.melds[state.side] if meld.size < size for card in meld.cards if is_run(meld.place)
        }
        lacks += [lack for suit in range(4) if (lack := _lacks_of_run(lying.union(cards), suit, size)) <= more]
    lacks += [
        size - unfinished.get(family, 0)
        for name, family in _OF_WILD_CARDS
        if name in rules.meld_kinds and size - unfinished.get(family, 0) <= wilds + more
    ]
    fewest = sorted(lacks)[:number]
    return len(fewest) == number and sum([lack for lack in fewest if lack > 0]) <= wilds + more


def _lacks_of_run(cards: set[Card], suit: int, size: int) -> int:
    """How many cards of that suit are lacking at least to have so many ranks in order."""
    held = [(kind << 2 | suit) in cards for kind in NATURAL_KINDS]
    return min([size - sum(held[low : low + size]) for low in range(len(held) - size + 1)], default=size)


_OF_WILD_CARDS: Final[tuple[tuple[str, Family], ...]] = (("wild", WILD_MELD), ("deuce", DEUCE_MELD))
