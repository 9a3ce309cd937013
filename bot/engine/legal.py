"""The legal steps of a position, complete and in a fixed order.

At the start of a turn: draw, draw and keep a three, take (pair, with a two, with a joker, added to a meld), pass, ask
or announce. In play: melds by rank from four to ace, by naturals, twos and jokers, then black threes; discards by kind,
or pass where nothing is discarded any more; ask or announce; special hands, the dearest first; canastas that give wild
cards back. The order is part of the interface: menus and recorded choices depend on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from bot.engine import phases
from bot.engine.actions import (
    DRAW,
    DRAW_KEEPING,
    NO,
    PASS,
    YES,
    Discard,
    LayRun,
    Meld,
    Step,
    discard,
    meld,
    show,
)
from bot.engine.cards import BLACK_THREE, HELD_KINDS, Kind
from bot.engine.counts import (
    ALL_KINDS,
    ANY_HELD,
    BLACK_SHIFT,
    HIGH_KINDS,
    KINDS_OF,
    LANE,
    LOW_KINDS,
    RANKS,
    WILD_SHIFT,
    Lanes,
)
from bot.engine.irregularities import melds_on
from bot.engine.listing import tried_melds
from bot.engine.penalties import due_discards
from bot.engine.plan import OpeningPlan
from bot.engine.queries import discards_no_more, has_grown
from bot.engine.reach import can_finish_plainly
from bot.engine.reclaiming import reclaims
from bot.engine.saying import words
from bot.engine.spread import Spread
from bot.engine.state import State
from bot.engine.takes import take_steps
from bot.engine.taking import why_not_keep, why_not_pass
from bot.engine.variants import hand_first
from bot.engine.variants.discards import free_lanes
from bot.engine.variants.kept_threes import may_keep
from bot.engine.variants.listing import laying_steps
from bot.engine.variants.special import shows
from bot.engine.verify import why_not_discard, why_not_meld

NEW_MELD: Final = 1000
"""Room that no meld on the table has."""

_ANSWERS: tuple[Step, ...] = (YES, NO)
_ONLY_DRAW: tuple[Step, ...] = (DRAW,)
_BLACK_THREES = (meld(BLACK_THREE, 3), meld(BLACK_THREE, 4))


class _DiscardsOf(dict[Lanes, tuple[Discard, ...]]):
    """The discards of a set of kinds, filled in as they are asked for; halves of the kinds make 128 sets each."""

    def __missing__(self, lanes: Lanes) -> tuple[Discard, ...]:
        self[lanes] = tuple([discard(kind) for kind in range(HELD_KINDS) if lanes & LANE[kind]])
        return self[lanes]


_DISCARDS_OF: Final = _DiscardsOf()


def legal_actions(state: State) -> tuple[Step, ...]:
    """Every step the seat that is to act may take; empty when no seat is."""
    if state.phase is phases.PLAY:
        return _play_steps(state)
    if state.phase is phases.DRAW:
        return _draw_steps(state)
    return _ANSWERS if state.phase is phases.ANSWER else ()


def can_take(state: State) -> bool:
    """Whether the seat whose turn begins can take the pile in any way."""
    return bool(take_steps(state)) or (hand_first.may_lay(state) and bool(laying_steps(state)))


# --- the start of a turn ---------------------------------------------------------------------------------------------


def _draw_steps(state: State) -> tuple[Step, ...]:
    takes = take_steps(state)
    if state.rules.ordinary:
        said = words(state, takes)
        if state.stock:
            return (DRAW, *takes, *said) if takes or said else _ONLY_DRAW
        return (*takes, PASS, *said) if why_not_pass(state) is None else (*takes, *said)
    laying: Sequence[Step] = ()
    if state.rules.open_pile == "hand_first":
        laying = laying_steps(state) if hand_first.may_lay(state) else ()
        if hand_first.is_pending(state):
            return (*takes, *words(state, takes), *laying)
    said = words(state, takes)
    keeps = state.rules.keeps_three and may_keep(state, state.turn) and why_not_keep(state) is None
    if state.stock and not takes and not said and not keeps and not laying:
        return _ONLY_DRAW
    steps: list[Step] = [DRAW] if state.stock else []
    if keeps:
        steps.append(DRAW_KEEPING)
    steps += takes
    if not state.stock and why_not_pass(state) is None:
        steps.append(PASS)
    steps += said
    steps += laying
    return tuple(steps)


# --- in play ---------------------------------------------------------------------------------------------------------


def _play_steps(state: State) -> tuple[Step, ...]:
    rules = state.rules
    counts = state.packed[state.turn]
    steps: list[Step] = []
    if rules.plain:
        spread = state.spreads[state.side]
        kinds = KINDS_OF[(counts + (spread.wild if counts >> WILD_SHIFT else spread.plain)) & RANKS]
        if kinds:
            add = _add_melds if state.opened[state.side] else _add_openings
            add(steps, state, kinds, spread)
        if counts >> BLACK_SHIFT & 127 > 2:
            steps += [step for step in _BLACK_THREES if why_not_meld(state, step) is None]
    else:
        steps = [*laying_steps(state)] if rules.varied else tried_melds(state)
    held = (counts + ANY_HELD) & ALL_KINDS
    bound = state.permission is not None or state.laid_points or len(state.hands[state.turn]) == 1
    if not rules.last_red3_ends and discards_no_more(state):
        steps += [PASS] if why_not_pass(state) is None else []
    elif not bound and rules.runs_grow and has_grown(state):
        pass  # it has to go out
    elif state.lapsed and melds_on(rules) and lays(steps):
        pass  # it has to meld as far as possible
    elif bound or rules.limits_discards or state.penalties is not None:
        _add_discards(steps, state, held)
    else:
        steps += _DISCARDS_OF[held & LOW_KINDS]
        steps += _DISCARDS_OF[held & HIGH_KINDS]
    said = words(state)
    if said:
        steps += said
    if rules.adds_steps:
        steps += [show(name) for name in shows(state)] if rules.special_hands else []
        steps += reclaims(state) if rules.wild_reclaim != "none" else []
    return tuple(steps)


def lays(steps: Iterable[Step]) -> bool:
    """Whether cards of the hand are laid by one of these steps."""
    return any(isinstance(step, Meld | LayRun) for step in steps)


def _add_discards(steps: list[Step], state: State, held: Lanes) -> None:
    """The cards of these kinds that may be discarded, where something could forbid it."""
    if state.rules.limits_discards and state.penalties is None:
        _add_unbanned(steps, state, held)
        return
    discards = _DISCARDS_OF[held & LOW_KINDS] + _DISCARDS_OF[held & HIGH_KINDS]
    if state.rules.limits_discards:
        steps += [step for step in discards if why_not_discard(state, step) is None]
        return
    if state.penalties is not None:
        discards = due_discards(state, discards)
    free = state.permission is None and not state.laid_points and len(state.hands[state.turn]) > 1
    if free or (discards and why_not_discard(state, discards[0]) is None):
        steps += discards  # what forbids one of them forbids them all


def _add_unbanned(steps: list[Step], state: State, held: Lanes) -> None:
    """The same where some kinds may be banned; what else forbids one of the others forbids them all."""
    free = free_lanes(state) & held
    low, high = _DISCARDS_OF[free & LOW_KINDS], _DISCARDS_OF[free & HIGH_KINDS]
    if state.permission is not None or state.laid_points or len(state.hands[state.turn]) == 1:
        if state.laid_points and not state.opened[state.side] and len(state.hands[state.turn]) > 1:
            return  # the initial meld has to be reached before
        first = low or high
        if not first or why_not_discard(state, first[0]) is not None:
            return
    steps += low
    steps += high


def _add_melds(steps: list[Step], state: State, kinds: tuple[Kind, ...], spread: Spread) -> None:
    """Melds and additions of a side that has opened.

    Where two cards stay in the hand the turn can always end (`rules/classic.md 1.15`), so nothing but the shape of a
    meld restricts the listing.
    """
    rules = state.rules
    seat = state.turn
    counts = state.packed[seat]
    held = counts.to_bytes(HELD_KINDS, "little")
    wilds = counts >> WILD_SHIFT << 8
    permission = state.permission
    finishes: bool | None = None
    free = len(state.hands[seat])
    if permission is not None:
        # After a yes whatever is laid must lead to going out, if anything can; after a no a card must be kept.
        finishes = permission and can_finish_plainly(rules, counts, spread)
        free = -1 if finishes else free - 2
    elif spread.canastas < rules.out_canastas:
        free -= 2
    ways_of = _ways_of(rules.meld_min, rules.min_naturals, rules.max_wilds)
    by_place = spread.by_place
    for kind in kinds:
        room = rules.max_wilds - by_place[kind].wilds if kind in by_place else NEW_MELD
        largest, ways = ways_of[room, kind, wilds | held[kind]]
        if largest <= free:
            steps += ways
            continue
        if finishes is None:
            finishes = can_finish_plainly(rules, counts, spread)
        if finishes:
            steps += _lawful(state, ways, free)
        else:
            steps += [step for step in ways if step.size <= free]


def _lawful(state: State, ways: tuple[Meld, ...], free: int) -> list[Meld]:
    """Those of the ways to lay a rank that take at most `free` cards, or after which the hand can be laid down.

    The whole hand can be laid down as it is. Then it can also after any of its naturals, since those would be laid
    anyway; and what a wild card spoils does not depend on which it is, nor on how many naturals go with it.
    """
    can: dict[int, bool] = {0: True}
    steps: list[Meld] = []
    for step in ways:
        if step.size > free:
            wilds = step.twos + step.jokers
            if wilds not in can:
                can[wilds] = why_not_meld(state, step) is None
            if not can[wilds]:
                continue
        steps.append(step)
    return steps


def _add_openings(steps: list[Step], state: State, kinds: tuple[Kind, ...], spread: Spread) -> None:
    """Melds and additions of a side that has still to reach its minimum."""
    plan = OpeningPlan(state)
    if plan.hopeless:
        return
    rules = state.rules
    counts = state.packed[state.turn]
    held = counts.to_bytes(HELD_KINDS, "little")
    wilds = counts >> WILD_SHIFT << 8
    ways_of = _ways_of(rules.meld_min, rules.min_naturals, rules.max_wilds)
    by_place = spread.by_place
    for kind in kinds:
        room = rules.max_wilds - by_place[kind].wilds if kind in by_place else NEW_MELD
        _, ways = ways_of[room, kind, wilds | held[kind]]
        if plan.sure:
            steps += ways
        else:
            told = zip(ways, plan.allows(ways), strict=True)
            steps += [step for step, allowed in told if allowed or why_not_meld(state, step) is None]


class _Ways(dict[tuple[int, Kind, int], tuple[int, tuple[Meld, ...]]]):
    """The steps that lay cards of one rank, and the size of the largest, filled in as they are asked for.

    The key is how many wild cards the meld still takes (or `NEW_MELD`), the rank, and how many naturals, twos and
    jokers there are to lay, a byte each; a pack bounds how many keys there can be.
    """

    def __init__(self, meld_min: int, min_naturals: int, max_wilds: int) -> None:
        self._new = (min_naturals, meld_min, max_wilds)

    def __missing__(self, key: tuple[int, Kind, int]) -> tuple[int, tuple[Meld, ...]]:
        room, kind, held = key
        if room < 0:  # what partners have put together may hold more wild cards than a meld takes
            self[key] = self[0, kind, held]
            return self[key]
        fewest_naturals, fewest_cards, most_wilds = self._new if room == NEW_MELD else (0, 1, room)
        naturals, twos, jokers = held & 255, min(held >> 8 & 255, most_wilds), min(held >> 16, most_wilds)
        if room != NEW_MELD:
            room = min(room, twos + jokers)
        alike = (room, kind, jokers << 16 | twos << 8 | naturals)
        if alike != key:  # wild cards beyond the room add no way, nor does room beyond the wild cards
            self[key] = self[alike]
            return self[key]
        steps = tuple(
            [
                meld(kind, count, two, joker)
                for count in range(fewest_naturals, naturals + 1)
                for two in range(twos + 1)
                for joker in range(min(jokers, most_wilds - two) + 1)
                if count + two + joker >= fewest_cards
            ]
        )
        self[key] = max([step.size for step in steps], default=0), steps
        return self[key]


_ways_of = cache(_Ways)
