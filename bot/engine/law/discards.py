"""Discards that the rules ban.

Nobody is left without a discard. Where the bans in force leave no card of a hand, they give way one after another, in
the order of `GIVES_WAY`, until a card is left. The last card of a hand, which goes out, has no other beside it: then
only the bans of `never_last` hold, they never give way, and the turn has to end otherwise.

Decides `docs/law/variants.md 2, 3.5, 3.10, 3.12`. Reads `discard_bans`, `theme`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final, TypeAlias

from bot.engine.cards.cards import (
    ACE,
    BLACK_THREE,
    FIRST_RED_THREE,
    HELD_KINDS,
    JOKER,
    RED_THREE,
    SEVEN,
    TWO,
    Kind,
    is_wild,
)
from bot.engine.cards.counts import ALL_KINDS, ANY_HELD, LANE, LANES_OF, Lanes
from bot.engine.law import foot
from bot.engine.moves.refusals import Code, Detail, Refusal
from bot.engine.reach.leaving import NEVER_LAST, Ban, never_last
from bot.engine.reach.standing import closed_ranks
from bot.engine.table import force
from bot.engine.table.state import State

GIVES_WAY: Final[tuple[Ban, ...]] = ("swad", "black3_first_round", "7_until_both", "wilds", "J", "threes")
"""The bans that can leave no card, in the order in which they give way; what a theme bans gives way before them."""

_NOTHING: Final[frozenset[Kind]] = frozenset()
_WILDS: Final = frozenset({TWO, JOKER})
_WILD_LANES: Final[Lanes] = LANE[TWO] | LANE[JOKER]
_THREES: Final = frozenset({BLACK_THREE, RED_THREE})


def free_kinds(state: State) -> frozenset[Kind]:
    """The kinds that the seat in turn may discard, as far as bans are concerned.

    Whether it may go out with its last card is asked elsewhere.
    """
    free = free_lanes(state)
    return frozenset([kind for kind in range(HELD_KINDS) if free & LANE[kind]])


def free_lanes(state: State) -> Lanes:
    """The `free_kinds` as a set of lanes (`bot.engine.cards.counts`)."""
    if _goes_out(state):
        return held_lanes(state) & ~LANES_OF[never_last(state.rules)]
    return _settled(state)[1]


def held_lanes(state: State) -> Lanes:
    """The kinds held by the seat in turn, red threes that wait to be laid out among them."""
    held = (state.packed[state.turn] + ANY_HELD) & ALL_KINDS
    if state.rules.counts_red_threes:
        return held
    hand = state.hands[state.turn]
    return held | LANE[RED_THREE] if hand and hand[-1] >= FIRST_RED_THREE else held


def _goes_out(state: State) -> bool:
    """Whether the discard would be the last card of the seat, with no foot to follow."""
    return len(state.hands[state.turn]) == 1 and not foot.comes_with_discard(state)


Bans: TypeAlias = Mapping[Ban, frozenset[Kind]]
"""What each ban forbids, the strongest last."""


def _settled(state: State) -> tuple[Bans, Lanes]:
    """What the bans in force forbid, and the kinds held that they leave."""
    bans = state.rules.discard_bans
    held = held_lanes(state)
    circumstances = 0 if held & ~_WILD_LANES else _ONLY_WILDS
    if "7_until_both" in bans and _sides_with_sevens(state) != state.seating.sides:
        circumstances |= _SEVENS
    if "black3_first_round" in bans and state.turns < len(state.seating.seats):
        circumstances |= _FIRST_ROUND
    dead = closed_ranks(state) if "swad" in bans and not state.pile else None
    by_theme = force.banned_discards(state) if state.rules.theme else None
    banned = _banned(bans, by_theme, dead, circumstances)
    for forbidden, lanes in banned:
        if held & ~lanes:
            return forbidden, held & ~lanes
    return banned[-1][0], held


_ONLY_WILDS: Final = 1
_SEVENS: Final = 2
_FIRST_ROUND: Final = 4


@lru_cache(maxsize=1 << 12)
def _banned(
    bans: frozenset[Ban], by_theme: frozenset[Kind] | None, dead: frozenset[Kind] | None, circumstances: int
) -> tuple[tuple[Bans, Lanes], ...]:
    """What is forbidden while all bans hold, then when one after another has given way; each with its lanes.

    `by_theme` are the kinds that themes ban, None without themes; `dead` the closed ranks, None where they do not
    matter. `circumstances` are bits: the hand holds wild cards alone (`_ONLY_WILDS`), some side lacks its canasta of
    sevens (`_SEVENS`), not everybody has had a turn (`_FIRST_ROUND`).
    """
    forbidden: dict[Ban, frozenset[Kind]] = {
        "swad": _NOTHING if dead is None else _WILDS | {SEVEN, ACE} | dead,
        "black3_first_round": frozenset({BLACK_THREE}) if circumstances & _FIRST_ROUND else _NOTHING,
        "7_until_both": frozenset({SEVEN}) if circumstances & _SEVENS else _NOTHING,
        "wilds": _NOTHING if circumstances & _ONLY_WILDS else _WILDS,
        "J": frozenset({JOKER}),
        "threes": _THREES,
    }
    banned: list[tuple[Ban, frozenset[Kind]]] = [] if by_theme is None else [("theme", by_theme)]
    banned += [(ban, forbidden[ban]) for ban in GIVES_WAY if ban in bans]
    rest = [dict(banned[given_way:]) for given_way in range(len(banned) + 1)]
    return tuple([(MappingProxyType(one), LANES_OF[_NOTHING.union(*one.values())]) for one in rest])


def why_not_free(state: State, kind: Kind) -> Refusal | None:
    """The refusal for a kind that is not among `free_kinds`: the strongest ban that forbids it."""
    bans = state.rules.discard_bans
    if _goes_out(state):
        banned: Bans = {ban: kinds for ban, kinds in NEVER_LAST.items() if ban in bans}
    else:
        banned, free = _settled(state)
        if LANE[kind] & free:
            return None
    for ban in reversed(tuple(banned)):
        if kind in banned[ban]:
            if ban == "theme":
                return force.why_not_discard(state, kind)
            code, numbers = _REFUSALS[ban]
            return Refusal(code, numbers(state))
    return None


def _sides_with_sevens(state: State) -> int:
    return sum([SEVEN in spread.finished for spread in state.spreads])


# --- how each ban is told ---------------------------------------------------------------------------------------------


def _free_cards(state: State) -> Detail:
    free = free_kinds(state)
    return {"others": sum(card >> 2 in free for card in state.hands[state.turn])}


_REFUSALS: Final[Mapping[Ban, tuple[Code, Callable[[State], Detail]]]] = {
    "J": (Code.DISCARD_JOKER, _free_cards),
    "threes": (Code.DISCARD_THREE, _free_cards),
    "wilds": (
        Code.DISCARD_WILD,
        lambda state: {"others": sum([not is_wild(card >> 2) for card in state.hands[state.turn]])},
    ),
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
