"""Special hands: fourteen cards that a player shows; their patterns, points and conditions.

Decides `docs/law/variants.md 3.10`. Reads `special_hands`, `special_values`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from bot.engine.cards.cards import (
    ACE,
    BLACK_THREE,
    JOKER,
    NATURAL_KINDS,
    RED_THREE,
    SEVEN,
    TWO,
    Card,
    Kind,
    value_class,
)
from bot.engine.cards.packed_counts import numbers_by_kind, pack_counts
from bot.engine.moves import phases
from bot.engine.moves.actions import Show
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.state import State

# --- patterns and points ----------------------------------------------------------------------------------------------


HAND_SIZE: Final = 14
"""The number of cards in a special hand."""


Pair: TypeAlias = tuple[int, int]
"""The number of twos, and the number of jokers."""


def _pairs_of_wilds(count: int) -> frozenset[Pair]:
    """Return the two ways to hold `count` equal wild cards, each as its numbers of twos and jokers."""
    return frozenset({(count, 0), (0, count)})


@value_class
class HandPattern:
    """The cards of a special hand.

    `naturals` are the numbers of cards of each rank, largest first, and `wilds` the possible wild cards. With `group`
    all twos or all jokers may form one of the groups instead. `ranks` must be among the naturals. `straight` says that
    a three is among the cards. `wins` says that the side wins the game with the hand.
    """

    naturals: tuple[int, ...]
    wilds: frozenset[Pair] = frozenset({(0, 0)})
    group: bool = False
    ranks: frozenset[Kind] = frozenset()
    straight: bool = False
    wins: bool = False


_PAIRS_OF: Final = frozenset({ACE, SEVEN})


_EVERY_RANK: Final = (1,) * len(NATURAL_KINDS)


PATTERNS: Final[Mapping[str, HandPattern]] = {
    "pairs": HandPattern((2,) * 7),
    "wild_pairs": HandPattern((2,) * 6, _pairs_of_wilds(2), ranks=_PAIRS_OF),
    "miami_pairs": HandPattern((2,) * 5, frozenset({(2, 2)}), ranks=_PAIRS_OF),
    "zip_code": HandPattern((4, 3, 3, 2, 2), group=True),
    "straight": HandPattern(_EVERY_RANK, frozenset({(1, 1)}), straight=True),
    "garbage": HandPattern((4, 4, 3, 3)),
    "blast_off": HandPattern((5, 4, 3, 2), group=True),
    "triples": HandPattern((3, 3, 3, 3), _pairs_of_wilds(2)),
    "quads": HandPattern((4, 4, 4), _pairs_of_wilds(2)),
    "dream_4": HandPattern((5, 5), _pairs_of_wilds(4), wins=True),
    "dream_5": HandPattern((5, 4), frozenset([(twos, 5 - twos) for twos in range(6)]), wins=True),
}
"""Every special hand, by the rules of the Canasta League."""


USUAL_POINTS: Final[Mapping[str, int]] = {
    "pairs": 2500,
    "wild_pairs": 2000,
    "miami_pairs": 2500,
    "zip_code": 2500,
    "straight": 3000,
    "garbage": 3000,
    "blast_off": 3000,
    "triples": 3500,
    "quads": 3500,
    "dream_4": 8500,
    "dream_5": 8500,
}
"""The points of each special hand in the Canasta League, by its name in `special_hands`."""


def special_points(rules: RuleSet, name: str) -> int:
    """Return the points of a special hand: those of `special_values`, else the usual ones."""
    told: Mapping[str, int] = dict(rules.special_values)
    return told.get(name, USUAL_POINTS[name])


def does_special_hand_win_game(name: str) -> bool:
    """Return whether a special hand wins the game."""
    return PATTERNS[name].wins


# --- recognising a special hand ---------------------------------------------------------------------------------------


def special_hands_in(rules: RuleSet, hand: Sequence[Card]) -> tuple[str, ...]:
    """Return the special hands of these rules that the cards make, the most valuable first."""
    if not rules.special_hands or len(hand) != HAND_SIZE:
        return ()
    held = numbers_by_kind(pack_counts(hand))
    groups = sorted([count for count in held[: ACE + 1] if count], reverse=True)
    if groups[-1:] == [1] and len(groups) < len(_EVERY_RANK):
        return ()  # only the straight has ranks with a single card
    names = [
        name
        for name, pattern in PATTERNS.items()
        if name in rules.special_hands and _matches_pattern(pattern, held, groups)
    ]
    return tuple(sorted(names, key=lambda name: -special_points(rules, name)))


def _matches_pattern(pattern: HandPattern, held: Sequence[int], groups: Sequence[int]) -> bool:
    """Return whether cards match the pattern; `groups` are the numbers of cards by rank, largest first."""
    if held[BLACK_THREE] + held[RED_THREE] != pattern.straight:
        return False
    wilds = held[TWO], held[JOKER]
    if pattern.group and any(wilds) and not all(wilds):
        groups, wilds = sorted([*groups, sum(wilds)], reverse=True), (0, 0)
    return tuple(groups) == pattern.naturals and wilds in pattern.wilds and all(held[kind] for kind in pattern.ranks)


# --- showing a special hand -------------------------------------------------------------------------------------------


def why_not_show(state: State, step: Show) -> Refusal | None:
    """Return the refusal if the seat in turn may not show this special hand, else None."""
    rules = state.rules
    if not rules.special_hands:
        return Refusal(Code.NO_SPECIAL_HANDS)
    if state.phase is not phases.PLAY:
        return Refusal(Code.DRAW_FIRST)
    if _is_too_late_to_show(state):
        return Refusal(Code.SHOW_TOO_LATE)
    hand = state.hands[state.turn]
    if len(hand) != HAND_SIZE:
        return Refusal(Code.SHOW_CARDS, {"cards": len(hand), "required": HAND_SIZE})
    names = special_hands_in(rules, hand)
    if not names or step.hand not in (None, *names):
        return Refusal(Code.SHOW_NO_HAND, {"hands": len(rules.special_hands)})
    return None


def showable_hands(state: State) -> tuple[str, ...]:
    """Return the special hands that the seat in turn may show now, the most valuable first."""
    hand = state.hands[state.turn]
    if len(hand) != HAND_SIZE or state.phase is not phases.PLAY or _is_too_late_to_show(state):
        return ()
    return special_hands_in(state.rules, hand)


def _is_too_late_to_show(state: State) -> bool:
    """Return whether the seat can no longer show a special hand in this turn.

    Its side has opened or melded, or it took the pile.
    """
    return state.opened[state.side] or state.laid_points > 0 or state.drew != "stock"
