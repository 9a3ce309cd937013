"""What to lay once the side has opened."""

from __future__ import annotations

from collections.abc import Iterator

from bot.computer.habits import Habits
from bot.computer.situation import Lying, Situation
from bot.engine.cards.cards import NATURAL_KINDS, TWO, Kind
from bot.engine.moves.actions import Meld, Step, meld

CANASTA, LAY, HURRY = range(3)
"""What comes first: completing canastas, cards that lie well, and last what one parts with in a hurry only."""


def next_meld(situation: Situation, habits: Habits, legal: tuple[Step, ...], *, keep: int) -> Meld | None:
    """The next cards to lay while at least `keep` stay in hand, or None when the rest is better kept."""
    wishes = sorted(_wishes(situation, habits), key=lambda wish: wish[0])
    for _, wish in wishes:
        if wish in legal and situation.held - wish.size >= keep:
            return wish
    return None


def _wishes(situation: Situation, habits: Habits) -> Iterator[tuple[int, Meld]]:
    hurry = in_a_hurry(situation, habits)
    for kind in NATURAL_KINDS:
        lying = situation.own.get(kind)
        wish = (
            _new_set(situation, habits, kind, hurry=hurry)
            if lying is None
            else _addition(situation, habits, kind, lying, hurry=hurry)
        )
        if wish is not None:
            yield wish


def in_a_hurry(situation: Situation, habits: Habits) -> bool:
    """Whether the deal may be over before the next turn, so that cards held would count against the side."""
    return situation.last_turn or (situation.against_may_go_out and situation.fewest_against <= habits.hurry_at)


def _new_set(situation: Situation, habits: Habits, kind: Kind, *, hurry: bool) -> tuple[int, Meld] | None:
    """A new set with its urgency: natural while enough stays in hand, or a pair with a wild card in a hurry."""
    naturals = situation.counts[kind]
    rules = situation.rules
    if naturals >= rules.meld_min:
        at_once = hurry or not situation.canastas_missing or naturals >= habits.long_set
        keep = 0 if at_once else habits.keep_for_set
        return (LAY, meld(kind, naturals)) if situation.held - naturals > keep else None
    need = rules.meld_min - naturals
    if hurry and naturals >= rules.min_naturals and need <= situation.wilds:
        return HURRY, _with_wilds(situation, kind, need)
    return None


def _addition(
    situation: Situation, habits: Habits, kind: Kind, lying: Lying, *, hurry: bool
) -> tuple[int, Meld] | None:
    """What to add to a meld, with its urgency: all naturals, and wild cards that all but complete a canasta, or do."""
    naturals = situation.counts[kind]
    room = min(situation.wilds, situation.rules.max_wilds - lying.wilds)
    lacking = situation.rules.canasta_size - lying.size - naturals
    if 0 < lacking <= room:
        return CANASTA, _with_wilds(situation, kind, lacking)
    lent = lacking - 1
    if situation.canastas_missing and 0 < lent <= min(room, habits.lend_wilds):
        return LAY, _with_wilds(situation, kind, lent)
    if naturals:
        return LAY, meld(kind, naturals)
    return (HURRY, _with_wilds(situation, kind, room)) if hurry and room else None


def _with_wilds(situation: Situation, kind: Kind, wilds: int) -> Meld:
    """All naturals of a rank with so many wild cards, twos before jokers."""
    twos = min(wilds, situation.counts[TWO])
    return meld(kind, situation.counts[kind], twos, wilds - twos)


def next_turn_gain(situation: Situation) -> int:
    """Points the hand could lay down in one turn as it is: each card counts twice, since held it counts against.

    Wild cards are not reckoned with, nor is what the turn may bring.
    """
    rules = situation.rules
    gain = 0
    for kind in NATURAL_KINDS:
        naturals = situation.counts[kind]
        before = situation.own.get(kind, Lying(0, 0))
        if not naturals or before.size + naturals < rules.meld_min:
            continue
        gain += 2 * naturals * situation.values[kind]
        if before.size < rules.canasta_size <= before.size + naturals:
            gain += rules.bonus_mixed if before.wilds else rules.bonus_natural
    return gain
