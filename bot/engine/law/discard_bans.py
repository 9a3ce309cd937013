"""Discards that the rules ban.

Every seat can always discard something. If the active bans leave no card of a hand, they are lifted one after another,
in the order of `GIVES_WAY`, until a card is free. For the last card of a hand, with which a seat goes out, only the
bans of `kinds_never_last` apply. Those are never lifted: such a card cannot be the last discard.

Decides `docs/law/variants.md 2, 3.5, 3.10, 3.12`. Reads `discard_bans`, `theme`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from operator import or_
from typing import Final, Literal, TypeAlias

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
from bot.engine.cards.packed_counts import ALL_KINDS, ANY_HELD, LANE, LANES_OF, Lanes
from bot.engine.law import foot_and_talon
from bot.engine.moves.refusals import Code, Detail, Refusal
from bot.engine.reach.going_out_search import BANNED_AS_LAST, kinds_never_last
from bot.engine.reach.turn_outlook import closed_ranks
from bot.engine.rules.parameter_declarations import DiscardBan
from bot.engine.table import themes_in_force
from bot.engine.table.state import State

Ban: TypeAlias = DiscardBan | Literal["theme"]
"""A source of bans: a value of `discard_bans`, or a theme."""

GIVES_WAY: Final[tuple[Ban, ...]] = ("swad", "black3_first_round", "7_until_both", "wilds", "J", "threes")
"""The bans that could leave no card to discard, in the order in which they are lifted.

Themes' bans are lifted before them.
"""

_THREES: Final[Lanes] = LANE[BLACK_THREE] | LANE[RED_THREE]
_WILDS: Final[Lanes] = LANE[TWO] | LANE[JOKER]


def discardable_kinds(state: State) -> frozenset[Kind]:
    """Return the kinds that no ban forbids the seat in turn to discard.

    Whether it may go out with its last card is checked elsewhere.
    """
    free = discardable_lanes(state)
    return frozenset([kind for kind in range(HELD_KINDS) if free & LANE[kind]])


def discardable_lanes(state: State) -> Lanes:
    """Return the `discardable_kinds` as a set of lanes (`bot.engine.cards.packed_counts`)."""
    if _is_last_discard(state):
        return held_lanes(state) & ~LANES_OF[kinds_never_last(state.rules)]
    return _active_bans(state)[1]


def held_lanes(state: State) -> Lanes:
    """Return the kinds held by the seat in turn as a set of lanes, red threes to be laid out included."""
    held = (state.packed[state.turn] + ANY_HELD) & ALL_KINDS
    if state.rules.counts_red_threes:
        return held
    hand = state.hands[state.turn]
    return held | LANE[RED_THREE] if hand and hand[-1] >= FIRST_RED_THREE else held


def _is_last_discard(state: State) -> bool:
    """Return whether the discard would be the seat's last card, after which no foot comes."""
    return len(state.hands[state.turn]) == 1 and not foot_and_talon.gets_foot_with_discard(state)


Bans: TypeAlias = Mapping[Ban, Lanes]
"""The kinds that each ban forbids, the strongest ban last."""


def _active_bans(state: State) -> tuple[Bans, Lanes]:
    """Return the active bans with the kinds they forbid, and the held kinds that remain free."""
    held = held_lanes(state)
    banned: list[tuple[Ban, Lanes]] = []
    if state.rules.theme:
        banned.append(("theme", LANES_OF[themes_in_force.banned_discards(state)]))
    banned += [(ban, _forbidden_kinds(state, ban, held)) for ban in GIVES_WAY if ban in state.rules.discard_bans]
    for given_way in range(len(banned)):
        in_force = dict(banned[given_way:])
        free = held & ~reduce(or_, in_force.values())
        if free:
            return in_force, free
    return {}, held


def _forbidden_kinds(state: State, ban: Ban, held: Lanes) -> Lanes:
    """Return the kinds that a ban forbids for a hand of these kinds now; none if it does not apply now."""
    match ban:
        case "swad":
            return 0 if state.pile else _WILDS | LANE[SEVEN] | LANE[ACE] | LANES_OF[closed_ranks(state)]
        case "black3_first_round":
            return LANE[BLACK_THREE] if state.turns < len(state.seating.seats) else 0
        case "7_until_both":
            return LANE[SEVEN] if _sides_with_sevens(state) != state.seating.sides else 0
        case "wilds":
            return _WILDS if held & ~_WILDS else 0
        case "J":
            return LANE[JOKER]
        case _:
            return _THREES


def why_discard_banned(state: State, kind: Kind) -> Refusal | None:
    """Return the refusal for a kind not in `discardable_kinds`, by the strongest ban that forbids it.

    Return None otherwise.
    """
    bans = state.rules.discard_bans
    if _is_last_discard(state):
        banned: Bans = {ban: LANES_OF[kinds] for ban, kinds in BANNED_AS_LAST.items() if ban in bans}
    else:
        banned, free = _active_bans(state)
        if LANE[kind] & free:
            return None
    for ban in reversed(tuple(banned)):
        if LANE[kind] & banned[ban]:
            if ban == "theme":
                return themes_in_force.banned_discard_refusal(state, kind)
            code, numbers = _REFUSALS[ban]
            return Refusal(code, numbers(state))
    return None


def _sides_with_sevens(state: State) -> int:
    """Return the number of sides that have a canasta of sevens."""
    return sum([SEVEN in spread.finished for spread in state.spreads])


# --- refusals by ban --------------------------------------------------------------------------------------------------


def _discardable_number_detail(state: State) -> Detail:
    """Return the number of cards that may be discarded, as the detail of a refusal."""
    free = discardable_kinds(state)
    return {"others": sum(card >> 2 in free for card in state.hands[state.turn])}


_REFUSALS: Final[Mapping[Ban, tuple[Code, Callable[[State], Detail]]]] = {
    "J": (Code.DISCARD_JOKER, _discardable_number_detail),
    "threes": (Code.DISCARD_THREE, _discardable_number_detail),
    "wilds": (
        Code.DISCARD_WILD,
        lambda state: {"others": sum([not is_wild(card >> 2) for card in state.hands[state.turn]])},
    ),
    "swad": (Code.DISCARD_ON_EMPTY_PILE, _discardable_number_detail),
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
