"""Which card to throw: what it gives the next player against what it is worth in hand."""

from __future__ import annotations

from bot.computer.situation import Situation
from bot.engine.actions import Discard, Step
from bot.engine.cards import ACE, BLACK_THREE, JOKER, TWO, Kind

KEEP_TWO = 60
KEEP_JOKER = 110
KEEP_BLACK_THREE = 8
KEEP_SINGLE = 2
KEEP_PAIR = 12
KEEP_SET = 20


def best_discard(situation: Situation, legal: tuple[Step, ...]) -> Discard | None:
    """The cheapest card to part with; None when no discard is legal."""
    discards = [step for step in legal if isinstance(step, Discard)]
    return min(discards, key=lambda step: cost(situation, step.kind), default=None)


def cost(situation: Situation, kind: Kind) -> float:
    """What discarding a card of that kind gives up, in points of judgement."""
    pile = situation.pile.cards + 1
    return keeping(situation, kind) + danger(situation, kind) * pile * 12


def keeping(situation: Situation, kind: Kind) -> float:
    """What a card of that kind is worth in hand."""
    if kind == TWO:
        return KEEP_TWO
    if kind == JOKER:
        return KEEP_JOKER
    if kind == BLACK_THREE:
        return KEEP_BLACK_THREE
    count = situation.counts[kind]
    return (KEEP_SINGLE, KEEP_PAIR, KEEP_SET)[min(count, 3) - 1]


def danger(situation: Situation, kind: Kind) -> float:
    """How likely the next player takes the pile when that card is on top."""
    if kind > ACE:
        return 0.0
    side = situation.next_side
    frozen = situation.frozen_for(side)
    if not frozen and any(meld.kind == kind for meld in side.melds):
        return 1.0
    left = situation.unseen[kind]
    chance = situation.next_cards / max(1, situation.unseen_cards)
    none = (1 - chance) ** left
    one = left * chance * (1 - chance) ** (left - 1) if left else 0.0
    pair = 1 - none - one
    if frozen:
        return pair if side.opened else pair * 0.6
    wilds = situation.unseen[TWO] + situation.unseen[JOKER]
    return pair + one * (1 - (1 - chance) ** wilds) * 0.7
