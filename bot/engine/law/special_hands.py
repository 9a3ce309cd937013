"""Special hands: fourteen cards that are shown, what they are worth, and when they may be shown.

Decides `docs/law/variants.md 3.10`. Reads `special_hands`, `special_values`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from bot.engine.cards.cards import ACE, BLACK_THREE, JOKER, NATURAL_KINDS, RED_THREE, SEVEN, TWO, Card, Kind, value
from bot.engine.cards.counts import pack, tally
from bot.engine.moves import phases
from bot.engine.moves.actions import Show
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.state import State

# --- what each is made of, and its points -----------------------------------------------------------------------------


CARDS: Final = 14
"""How many cards a special hand has."""


Pair: TypeAlias = tuple[int, int]
"""How many twos, and how many jokers."""


def _equal(count: int) -> frozenset[Pair]:
    """So many twos, or so many jokers."""
    return frozenset({(count, 0), (0, count)})


@value
class Pattern:
    """What a special hand is made of.

    `naturals` are how many cards of each rank there are, largest first, and `wilds` which wild cards may be beside
    them. With `group` all twos or all jokers may make one of the groups instead. `ranks` have to be among the naturals.
    `straight` tells that a three is among the cards. `wins` tells that the side wins the game with the hand.
    """

    naturals: tuple[int, ...]
    wilds: frozenset[Pair] = frozenset({(0, 0)})
    group: bool = False
    ranks: frozenset[Kind] = frozenset()
    straight: bool = False
    wins: bool = False


_PAIRS_OF: Final = frozenset({ACE, SEVEN})


_EVERY_RANK: Final = (1,) * len(NATURAL_KINDS)


PATTERNS: Final[Mapping[str, Pattern]] = {
    "pairs": Pattern((2,) * 7),
    "wild_pairs": Pattern((2,) * 6, _equal(2), ranks=_PAIRS_OF),
    "miami_pairs": Pattern((2,) * 5, frozenset({(2, 2)}), ranks=_PAIRS_OF),
    "zip_code": Pattern((4, 3, 3, 2, 2), group=True),
    "straight": Pattern(_EVERY_RANK, frozenset({(1, 1)}), straight=True),
    "garbage": Pattern((4, 4, 3, 3)),
    "blast_off": Pattern((5, 4, 3, 2), group=True),
    "triples": Pattern((3, 3, 3, 3), _equal(2)),
    "quads": Pattern((4, 4, 4), _equal(2)),
    "dream_4": Pattern((5, 5), _equal(4), wins=True),
    "dream_5": Pattern((5, 4), frozenset([(twos, 5 - twos) for twos in range(6)]), wins=True),
}
"""Every special hand, as the Canasta League has it."""


USUAL: Final[Mapping[str, int]] = {
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
"""The points of each special hand as the Canasta League has it, by its name in `special_hands`."""


def special_points(rules: RuleSet, name: str) -> int:
    """The points of a special hand: what the rules say (`special_values`), else the usual ones."""
    told: Mapping[str, int] = dict(rules.special_values)
    return told.get(name, USUAL[name])


def wins(name: str) -> bool:
    """Whether a special hand wins the game."""
    return PATTERNS[name].wins


# --- which of them the cards are --------------------------------------------------------------------------------------


def shown_of(rules: RuleSet, hand: Sequence[Card]) -> tuple[str, ...]:
    """Which special hands of these rules the cards make, the one that counts most first."""
    if not rules.special_hands or len(hand) != CARDS:
        return ()
    held = tally(pack(hand))
    groups = sorted([count for count in held[: ACE + 1] if count], reverse=True)
    if groups[-1:] == [1] and len(groups) < len(_EVERY_RANK):
        return ()  # most hands have a card alone of its rank, which the straight alone has
    names = [name for name, pattern in PATTERNS.items() if name in rules.special_hands and _fits(pattern, held, groups)]
    return tuple(sorted(names, key=lambda name: -special_points(rules, name)))


def _fits(pattern: Pattern, held: Sequence[int], groups: Sequence[int]) -> bool:
    """Whether cards make the pattern; `groups` are how many there are of each rank from four to ace, largest first."""
    if held[BLACK_THREE] + held[RED_THREE] != pattern.straight:
        return False
    wilds = held[TWO], held[JOKER]
    if pattern.group and any(wilds) and not all(wilds):
        groups, wilds = sorted([*groups, sum(wilds)], reverse=True), (0, 0)
    return tuple(groups) == pattern.naturals and wilds in pattern.wilds and all(held[kind] for kind in pattern.ranks)


# --- showing one ------------------------------------------------------------------------------------------------------


def why_not_show(state: State, step: Show) -> Refusal | None:
    """Why the seat in turn may not show its hand so; None where it may."""
    rules = state.rules
    if not rules.special_hands:
        return Refusal(Code.NO_SPECIAL_HANDS)
    if state.phase is not phases.PLAY:
        return Refusal(Code.DRAW_FIRST)
    if _is_late(state):
        return Refusal(Code.SHOW_TOO_LATE)
    hand = state.hands[state.turn]
    if len(hand) != CARDS:
        return Refusal(Code.SHOW_CARDS, {"cards": len(hand), "required": CARDS})
    names = shown_of(rules, hand)
    if not names or step.hand not in (None, *names):
        return Refusal(Code.SHOW_NO_HAND, {"hands": len(rules.special_hands)})
    return None


def shows(state: State) -> tuple[str, ...]:
    """The special hands that the seat in turn may show now, the one that counts most first."""
    hand = state.hands[state.turn]
    if len(hand) != CARDS or state.phase is not phases.PLAY or _is_late(state):
        return ()
    return shown_of(state.rules, hand)


def _is_late(state: State) -> bool:
    """Whether a hand may no longer be shown: the side has opened, cards are laid, or the pile was taken."""
    return state.opened[state.side] or state.laid_points > 0 or state.drew != "stock"
