"""Discards that the rules ban (`discard_bans`; `rules/variants.md 2, 3.5, 3.10, 3.12`).

Nobody is left without a discard: where the bans in force leave no card, they give way one after another, in the order
of `GIVES_WAY`, until one is left. For the last card of a hand, which goes out, there is no other, so that of the bans
only those of `never_last` hold there, and they never give way: the turn has to end otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Literal

from bot.engine.canastas import tally
from bot.engine.cards import ACE, BLACK_THREE, JOKER, RED_THREE, SEVEN, TWO, Kind, is_wild
from bot.engine.refusals import Code, Detail, Refusal
from bot.engine.rules import RuleSet
from bot.engine.state import State
from bot.engine.themes import force
from bot.engine.variants import foot
from bot.engine.variants.standing import closed_ranks

Ban = Literal["J", "threes", "wilds", "swad", "7_until_both", "7_last", "black3_first_round", "theme"]

GIVES_WAY: Final[tuple[Ban, ...]] = ("swad", "black3_first_round", "7_until_both", "wilds", "J", "threes")
"""The bans that can leave no card, the one that gives way first coming first; what a theme bans does before them."""

_NOTHING: Final[frozenset[Kind]] = frozenset()
_WILDS: Final = frozenset({TWO, JOKER})
_THREES: Final = frozenset({BLACK_THREE, RED_THREE})
_NEVER_LAST: Final[Mapping[Ban, frozenset[Kind]]] = {
    "7_last": frozenset({SEVEN}),
    "J": frozenset({JOKER}),
    "threes": _THREES,
}


def free_kinds(state: State) -> frozenset[Kind]:
    """The kinds that the seat in turn may discard; going out with the last card is another question."""
    held = frozenset([card >> 2 for card in state.hands[state.turn]])
    if _goes_out(state):
        return held - never_last(state.rules)
    return held.difference(*in_force(state).values())


def _goes_out(state: State) -> bool:
    """Whether a discard would be the last card of all, and not be followed by a foot."""
    return len(state.hands[state.turn]) == 1 and not foot.comes_with_discard(state)


def in_force(state: State) -> Mapping[Ban, frozenset[Kind]]:
    """What the bans forbid that do not give way to the hand of the seat in turn, the strongest last."""
    bans = state.rules.discard_bans
    held = frozenset([card >> 2 for card in state.hands[state.turn]])
    banned: dict[Ban, frozenset[Kind]] = {"theme": force.banned_discards(state)} if state.rules.theme else {}
    banned |= {ban: _BANNED[ban](state) for ban in GIVES_WAY if ban in bans}
    while banned and not held.difference(*banned.values()):
        del banned[next(iter(banned))]
    return banned


def never_last(rules: RuleSet) -> frozenset[Kind]:
    """The kinds of which no card may be discarded in going out."""
    return frozenset().union(*[kinds for ban, kinds in _NEVER_LAST.items() if ban in rules.discard_bans])


def why_not_free(state: State, kind: Kind) -> Refusal | None:
    """The refusal for a kind that is not among `free_kinds`: the strongest ban that forbids it."""
    bans = state.rules.discard_bans
    if _goes_out(state):
        banned: Mapping[Ban, frozenset[Kind]] = {ban: kinds for ban, kinds in _NEVER_LAST.items() if ban in bans}
    else:
        banned = in_force(state)
    for ban in reversed(tuple(banned)):
        if kind in banned[ban]:
            if ban == "theme":
                return force.why_not_discard(state, kind)
            code, numbers = _REFUSALS[ban]
            return Refusal(code, numbers(state))
    return None


# --- what each ban forbids -------------------------------------------------------------------------------------------


def _wilds(state: State) -> frozenset[Kind]:
    """Wild cards, but from a hand that holds nothing else."""
    return _WILDS if _others(state, is_wild) else _NOTHING


def _swad(state: State) -> frozenset[Kind]:
    """Sevens, wild cards, aces and dead cards, on an empty pile."""
    return _NOTHING if state.pile else _WILDS | {SEVEN, ACE} | closed_ranks(state)


def _sevens(state: State) -> frozenset[Kind]:
    """Sevens, until every side has a canasta of them."""
    return _NOTHING if _sides_with_sevens(state) == state.seating.sides else frozenset({SEVEN})


def _sides_with_sevens(state: State) -> int:
    return sum(tally(state.rules, melds).sevens > 0 for melds in state.melds)


def _black_threes(state: State) -> frozenset[Kind]:
    """Black threes, until everybody has had a turn."""
    return frozenset({BLACK_THREE}) if state.turns < len(state.seating.seats) else _NOTHING


_BANNED: Final[Mapping[Ban, Callable[[State], frozenset[Kind]]]] = {
    "swad": _swad,
    "black3_first_round": _black_threes,
    "7_until_both": _sevens,
    "wilds": _wilds,
    "J": lambda _state: frozenset({JOKER}),
    "threes": lambda _state: _THREES,
}


# --- how each ban is told --------------------------------------------------------------------------------------------


def _others(state: State, of: Callable[[Kind], bool]) -> int:
    """How many cards of the hand are none of these."""
    return sum([not of(card >> 2) for card in state.hands[state.turn]])


def _free_cards(state: State) -> Detail:
    free = free_kinds(state)
    return {"others": sum(card >> 2 in free for card in state.hands[state.turn])}


_REFUSALS: Final[Mapping[Ban, tuple[Code, Callable[[State], Detail]]]] = {
    "J": (Code.DISCARD_JOKER, _free_cards),
    "threes": (Code.DISCARD_THREE, _free_cards),
    "wilds": (Code.DISCARD_WILD, lambda state: {"others": _others(state, is_wild)}),
    "swad": (Code.DISCARD_ON_EMPTY_PILE, _free_cards),
    "7_until_both": (
        Code.DISCARD_SEVEN,
        lambda state: {"canastas": _sides_with_sevens(state), "required": state.seating.sides},
    ),
    "7_last": (Code.DISCARD_LAST_SEVEN, lambda _state: {"others": 0}),
    "black3_first_round": (
        Code.DISCARD_BLACK_THREE,
        lambda state: {"turns": state.turns, "required": len(state.seating.seats)},
    ),
}
