"""Lying down: whether all that is left of a hand can be laid as sets, whatever becomes a canasta.

That is the question for a side that has the canastas it needs, where nothing but sets and runs lies. Only how many
wild cards each rank takes matters to it, so the ranks are numbers of wild cards, a bit each, that add up.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from bot.engine.actions import Meld
from bot.engine.canastas import enough
from bot.engine.cards import ACE, BLACK_THREE, JOKER, NATURAL_KINDS, RED_THREE, TWO, Card, Kind, counts_of
from bot.engine.reach import BLACK_THREE_MELDS
from bot.engine.rules import RuleSet
from bot.engine.variants.discards import never_last
from bot.engine.variants.run_plans import left_by, run_plans
from bot.engine.variants.standing import Standing
from bot.engine.variants.ways import Lying, wilds_laying_all

_SIMPLE: Final = frozenset({"set", "seq"})

_Reached = tuple[int, int]
"""The bits of the numbers of wild cards that ranks can take: no card being left, and one being left."""


def is_simple(rules: RuleSet) -> bool:
    """Whether only naturals of a rank or a run and wild cards with them lie in melds, and any may lie unfinished."""
    return rules.meld_kinds <= _SIMPLE and not (rules.out_clean or rules.theme)


def may_spoil(rules: RuleSet) -> bool:
    """Whether a wild card can take a canasta away that going out needs; else those that lie there stay enough."""
    return "mixed" in rules.out_excludes or any(kind == "natural" for kind, _ in rules.out_need)


def lies_down(standing: Standing, held: Sequence[int], left: Collection[Kind | None]) -> bool:
    """Whether these cards can be laid as sets but for one of one of the kinds `left`; None is for none at all."""
    every = held[TWO] + held[JOKER]
    reached = _start(left)
    for kind in _kinds(standing, held, every):
        reached = _joined(reached, _of_rank(standing, held, kind, left, every))
        if reached == (0, 0):
            return False
    return _ends(reached, every, left)


def may_all_lie(standing: Standing, held: Sequence[int], left: Kind | None) -> bool:
    """Whether the threes, and all that is closed, leave the hand when a card of that kind is left, or none is."""
    if standing.closed and any(held[kind] > (kind == left) for kind in standing.closed):
        return False
    blacks = held[BLACK_THREE] - (left == BLACK_THREE)
    reds = held[RED_THREE] - (left == RED_THREE)
    return not reds and blacks in ((0,) if standing.rules.black3_meld == "never" else BLACK_THREE_MELDS)


class OutPlan:
    """For a hand that has to be laid down: which sets can be laid first, as far as one plan of runs tells.

    The other ranks are the same after every step of one rank, so what they come to together is worked out once.
    """

    def __init__(self, standing: Standing, hand: Sequence[Card]) -> None:
        rules = standing.rules
        held: Sequence[int] = counts_of(hand)
        self._standing = standing
        self._every = held[TWO] + held[JOKER]
        kinds: list[Kind | None] = [kind for kind, count in enumerate(held) if count]
        banned = never_last(rules) if rules.discard_bans else frozenset()
        if rules.out_discard != "mandatory":
            kinds.append(None)
        self._left = [kind for kind in kinds if kind not in banned and may_all_lie(standing, held, kind)]
        plans = run_plans(standing, hand, going_out=True) if self._tells(standing) else ()
        found = (plan for plan in plans if lies_down(standing, left_by(plan, held), self._left))
        self._plan = next(found, None)
        self._held = held if self._plan is None else left_by(self._plan, held)
        self._others: dict[Kind, _Reached] = {}

    @staticmethod
    def _tells(standing: Standing) -> bool:
        return (
            is_simple(standing.rules)
            and not may_spoil(standing.rules)
            and enough(standing.rules, standing.melds.values())
        )

    def allows(self, step: Meld) -> bool:
        """Whether the rest can be laid down after it: then it is legal. Where this says no, it still may be.

        Of a rank from which cards go into runs the step may take the very cards that those need.
        """
        kind = step.kind
        if self._plan is None or kind > ACE or self._plan.used[kind] or kind in self._standing.closed:
            return False
        every = self._every - step.twos - step.jokers
        lying = [(meld.naturals, meld.wilds) for meld in self._standing.of_family(kind) if meld.place != step.place]
        joined = self._standing.melds.get(step.place)
        naturals, wilds = (0, 0) if joined is None else (joined.naturals, joined.wilds)
        lying.append((naturals + step.naturals, wilds + step.twos + step.jokers))
        count = self._held[kind] - step.naturals
        held = (self._held[TWO] > step.twos, self._held[JOKER] > step.jokers)
        left = [one for one in self._left if one not in (TWO, JOKER) or held[one == JOKER]]
        own = _of_family(self._standing, kind, tuple(lying), count, every, may_leave=kind in left)
        return _ends(_joined(self._of_others(kind), own), every, left)

    def _of_others(self, kind: Kind) -> _Reached:
        if kind not in self._others:
            reached = _start(self._left)
            for other in _kinds(self._standing, self._held, self._every):
                if other != kind:
                    more = _of_rank(self._standing, self._held, other, self._left, self._every)
                    reached = _joined(reached, more)
            self._others[kind] = reached
        return self._others[kind]


def _start(left: Collection[Kind | None]) -> _Reached:
    """Before any rank: a three that is left is left already."""
    a_three = BLACK_THREE in left or RED_THREE in left
    return int(any(kind not in (BLACK_THREE, RED_THREE) for kind in left)), int(a_three)


def _ends(reached: _Reached, every: int, left: Collection[Kind | None]) -> bool:
    """Whether so many wild cards can all be taken, or all but the card that is left."""
    whole, short = reached
    if short >> every & 1 or (None in left and whole >> every & 1):
        return True
    return every > 0 and bool(whole >> every - 1 & 1) and (TWO in left or JOKER in left)


def _kinds(standing: Standing, held: Sequence[int], every: int) -> list[Kind]:
    """The ranks that are held, or that wild cards could join."""
    families = standing.spread.families
    return [kind for kind in NATURAL_KINDS if held[kind] or (every and kind in families)]


def _of_rank(
    standing: Standing, held: Sequence[int], kind: Kind, left: Collection[Kind | None], every: int
) -> _Reached:
    lying = tuple([(meld.naturals, meld.wilds) for meld in standing.of_family(kind)])
    return _of_family(standing, kind, lying, held[kind], every, may_leave=kind in left)


def _of_family(standing: Standing, kind: Kind, lying: Lying, count: int, every: int, *, may_leave: bool) -> _Reached:
    """With how many wild cards so many naturals of a rank can be laid, all of them or all but one."""
    if kind in standing.closed:
        return int(not count), int(may_leave and count == 1)
    rules, opening = standing.rules, standing.opening
    whole = wilds_laying_all(rules, kind, lying, count, every, opening=opening)
    if not may_leave or not count:
        return whole, 0
    return whole, wilds_laying_all(rules, kind, lying, count - 1, every, opening=opening)


def _joined(some: _Reached, others: _Reached) -> _Reached:
    return _sums(some[0], others[0]), _sums(some[1], others[0]) | _sums(some[0], others[1])


def _sums(some: int, others: int) -> int:
    """The bits of all sums of a number of the one and a number of the other."""
    if others == 1 or not some:
        return some
    found = 0
    while others:
        lowest = others & -others
        found |= some * lowest
        others ^= lowest
    return found
