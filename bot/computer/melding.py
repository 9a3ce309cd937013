"""What to lay once the side has opened."""

from __future__ import annotations

from bot.computer.situation import Situation
from bot.engine.actions import Meld, Step, meld
from bot.engine.cards import NATURAL_KINDS, TWO


def next_meld(situation: Situation, legal: tuple[Step, ...]) -> Meld | None:
    """The next cards to lay, or None when the rest is better kept."""
    for step in _candidates(situation):
        if step in legal:
            return step
    return None


def _candidates(situation: Situation) -> list[Meld]:
    rules = situation.rules
    counts = situation.counts
    steps: list[tuple[int, Meld]] = []
    for kind in NATURAL_KINDS:
        naturals = counts[kind]
        lying = situation.own.get(kind)
        if lying is None:
            if naturals >= rules.meld_min:
                steps.append((1, meld(kind, naturals)))
            continue
        lacking = rules.canasta_size - lying.size - naturals
        if 0 < lacking <= min(situation.wilds, rules.max_wilds - lying.wilds):
            twos = min(lacking, counts[TWO])
            steps.append((0, meld(kind, naturals, twos, lacking - twos)))
        elif naturals:
            steps.append((1, meld(kind, naturals)))
    return [step for _, step in sorted(steps, key=lambda entry: entry[0])]


def next_turn_gain(situation: Situation) -> int:
    """Points the hand could lay down in one turn if it had one more: cards count twice, since held they count against.

    Wild cards are not reckoned with, nor is what the turn may bring.
    """
    rules = situation.rules
    gain = 0
    for kind in NATURAL_KINDS:
        naturals = situation.counts[kind]
        lying = situation.own.get(kind)
        if not naturals or (lying is None and naturals < rules.meld_min):
            continue
        gain += 2 * naturals * situation.values[kind]
        before = lying.size if lying is not None else 0
        if before < rules.canasta_size <= before + naturals:
            gain += rules.bonus_mixed if lying is not None and lying.wilds else rules.bonus_natural
    return gain
