"""The legal steps of a position, complete and in a fixed order.

At the start of a turn: draw, take (pair, with a two, with a joker, added to a meld), pass, ask. In play: melds by
rank from four to ace, by naturals, twos and jokers, then black threes; discards by kind; ask. The order is part of
the interface: menus and recorded choices depend on it.
"""

from __future__ import annotations

from functools import cache
from itertools import compress

from bot.engine import phases
from bot.engine.actions import (
    ASK,
    DRAW,
    NO,
    PASS,
    TAKE_ADD,
    TAKE_PAIR,
    TAKE_WITH_JOKER,
    TAKE_WITH_TWO,
    YES,
    Meld,
    Step,
    discard,
    meld,
)
from bot.engine.cards import BLACK_THREE, HELD_KINDS, JOKER, LAST_ACE, NATURAL_KINDS, TWO, Kind
from bot.engine.plan import OpeningPlan
from bot.engine.queries import canastas, meld_of
from bot.engine.reach import can_finish
from bot.engine.state import State
from bot.engine.verify import may_ask, why_not_discard, why_not_meld, why_not_pass, why_not_step

NEW_MELD = -1
_DISCARDS = tuple(discard(kind) for kind in range(HELD_KINDS))
_BLACK_THREES = (meld(BLACK_THREE, 3), meld(BLACK_THREE, 4))


def legal_actions(state: State) -> tuple[Step, ...]:
    """Every step the seat that is to act may take; empty when no seat is."""
    if state.phase is phases.PLAY:
        return tuple(_play_steps(state))
    if state.phase is phases.DRAW:
        return tuple(_draw_steps(state))
    return (YES, NO) if state.phase is phases.ANSWER else ()


def can_take(state: State) -> bool:
    """Whether the seat whose turn begins can take the pile in any way."""
    return bool(_take_steps(state))


def _draw_steps(state: State) -> list[Step]:
    steps: list[Step] = []
    if state.stock:
        steps.append(DRAW)
    steps += _take_steps(state)
    if not state.stock and why_not_pass(state) is None:
        steps.append(PASS)
    if may_ask(state):
        steps.append(ASK)
    return steps


def _take_steps(state: State) -> list[Step]:
    """The ways to take the pile: those the cards held allow, asked one by one where more could forbid them."""
    if not state.pile or state.pile[-1] > LAST_ACE:
        return []
    kind = state.pile[-1] >> 2
    seat = state.turn
    rules = state.rules
    side = rules.side_by_seat[seat]
    counts = state.counts[seat]
    takes: list[Step] = [TAKE_PAIR] if counts[kind] > 1 else []
    opened = state.opened[side]
    if not (state.frozen or (rules.frozen_unopened and not opened)):
        meld = meld_of(state.melds[side], kind)
        if counts[kind] and (meld is None or meld.wilds < rules.max_wilds):
            if counts[TWO]:
                takes.append(TAKE_WITH_TWO)
            if counts[JOKER]:
                takes.append(TAKE_WITH_JOKER)
        if meld is not None:
            takes.append(TAKE_ADD)
    if not takes or (opened and len(state.hands[seat]) > 3 and rules.takes_freely):
        return takes  # two cards stay in the hand whatever is laid, so the turn can end
    return [take for take in takes if why_not_step(state, take) is None]


def _play_steps(state: State) -> list[Step]:
    steps = _meld_steps(state)
    counts = state.counts[state.turn]
    staged = state.laid_points and not state.opened[state.rules.side_by_seat[state.turn]]
    if staged or state.permission is not None or len(state.hands[state.turn]) < 2:
        steps += [
            discard(kind)
            for kind in range(HELD_KINDS)
            if counts[kind] and why_not_discard(state, discard(kind)) is None
        ]
    else:
        steps += compress(_DISCARDS, counts)
    if may_ask(state):
        steps.append(ASK)
    return steps


def _meld_steps(state: State) -> list[Step]:
    """Melds and additions; where nothing but the shape of a meld can forbid one, the listing asks no further."""
    seat = state.turn
    rules = state.rules
    side = rules.side_by_seat[seat]
    counts = state.counts[seat]
    steps: list[Step] = []
    plan = None if state.opened[side] else OpeningPlan(state)
    if plan is not None and plan.hopeless:
        return steps
    ending = _Ending(state, side)
    twos, jokers = counts[TWO], counts[JOKER]
    wilds = twos + jokers
    most_wilds, min_naturals = rules.max_wilds, rules.min_naturals
    ways_of = _ways_of(rules.meld_min, min_naturals, most_wilds)
    table = {meld.kind: meld for meld in state.melds[side]}
    for kind, count in zip(NATURAL_KINDS, counts):  # noqa: B905 - the counts go on to black threes and wild cards
        if kind in table:
            room = most_wilds - table[kind].wilds
            if not count and not (wilds and room):
                continue
            largest, ways = ways_of[room, kind, count, twos, jokers]
        elif count >= min_naturals:
            largest, ways = ways_of[NEW_MELD, kind, count, twos, jokers]
        else:
            continue
        if plan is not None:
            steps += [step for step in ways if plan.allows(step) or why_not_meld(state, step) is None]
        elif largest <= ending.free:
            steps += ways
        else:
            steps += ending.lawful(ways)
    if counts[BLACK_THREE] > 2:
        steps += [step for step in _BLACK_THREES if why_not_meld(state, step) is None]
    return steps


class _Ending:
    """How far the end of the turn restricts melding: with two cards left it never does (`rules/classic.md 1.15`).

    `free` is how many cards a meld may take with no further question. What takes more goes out, or leads to going
    out, and is lawful only where the hand can be laid down in this turn.
    """

    def __init__(self, state: State, side: int) -> None:
        rules = state.rules
        self._state = state
        held = len(state.hands[state.turn])
        if state.permission:
            self.free = -1  # the partner said yes: whatever is laid must lead to going out, if anything can
        elif state.permission is None and canastas(rules, state.melds[side]) >= rules.out_canastas:
            self.free = held
        else:
            self.free = held - 2
        self._finishes: bool | None = False if state.permission is False else None

    def lawful(self, steps: tuple[Meld, ...]) -> list[Meld]:
        """Those of the steps after which the turn can end."""
        state = self._state
        if self._finishes is None:
            side = state.rules.side_by_seat[state.turn]
            self._finishes = can_finish(state.rules, state.counts[state.turn], state.melds[side])
            if not self._finishes:
                self.free = len(state.hands[state.turn]) - 2
        free = self.free
        if not self._finishes:
            return [step for step in steps if step.size <= free]
        return [step for step in steps if step.size <= free or why_not_meld(state, step) is None]


class _Ways(dict[tuple[int, Kind, int, int, int], tuple[int, tuple[Meld, ...]]]):
    """The steps that lay cards of one rank, and the size of the largest, filled in as they are asked for.

    The key is how many wild cards the meld still takes (or `NEW_MELD`), the rank, and how many naturals, twos and
    jokers there are to lay; a pack bounds how many keys there can be.
    """

    def __init__(self, meld_min: int, min_naturals: int, max_wilds: int) -> None:
        self._new = (min_naturals, meld_min, max_wilds)

    def __missing__(self, key: tuple[int, Kind, int, int, int]) -> tuple[int, tuple[Meld, ...]]:
        room, kind, naturals, twos, jokers = key
        fewest_naturals, fewest_cards, most_wilds = self._new if room == NEW_MELD else (0, 1, room)
        steps = tuple(
            meld(kind, count, two, joker)
            for count in range(fewest_naturals, naturals + 1)
            for two in range(min(twos, most_wilds) + 1)
            for joker in range(min(jokers, most_wilds - two) + 1)
            if count + two + joker >= fewest_cards
        )
        self[key] = max((step.size for step in steps), default=0), steps
        return self[key]


_ways_of = cache(_Ways)
