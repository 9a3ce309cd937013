"""Laying out: whether all that one plan of runs leaves of a hand can be laid as sets and wild cards alone.

Family by family, what lays all its naturals is added to what the families before it come to; beside that, what lays
all but the one card that is left. Twos and wild cards as families of their own come last, since which wild cards they
take may bind the others (`rules/variants.md A.1`, `wild_lock`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final, Generic

from bot.engine.actions import Meld
from bot.engine.cards import ACE, BLACK_THREE, JOKER, NATURAL_KINDS, RED_THREE, TWO, Kind
from bot.engine.places import DEUCE_MELD, WILD_MELD, Family
from bot.engine.variants.family_sums import counting
from bot.engine.variants.parting import lying_of
from bot.engine.variants.sets import parted
from bot.engine.variants.standing import Standing
from bot.engine.variants.sums import NO_CARD, Options, Reached, Sums
from bot.engine.variants.ways import Lying, regrouped

_WILDS: Final = (TWO, JOKER)
_LAID_BY_NOBODY: Final = frozenset((None, BLACK_THREE, RED_THREE))
"""What is left when every card of the ranks is laid: none, or a three."""


class Laying(Generic[Reached]):
    """The cards `held` by kind before a standing, of which one of the kinds `left` is left; None is for none at all.

    `runs` canastas are runs when those of the plan lie there.
    """

    def __init__(
        self,
        standing: Standing,
        held: Sequence[int],
        left: Collection[Kind | None],
        sums: Sums[Reached],
        *,
        runs: int,
        regrouping: bool,
    ) -> None:
        rules = standing.rules
        self.held = held
        self._rules = rules
        self._standing = standing
        self._left = frozenset(left)
        self._opening = standing.opening
        self._table = sums.table
        self._sums = sums
        self._runs = runs
        self._regrouping = regrouping and rules.same_rank_melds == "many"
        self._every = held[TWO] + held[JOKER]
        self._enough = self._every + 1 & ~1  # sums of more wild cards are dropped, so a few more make fewer questions
        self._wilds = lying_of(standing, WILD_MELD) if "wild" in rules.meld_kinds else ()
        self._deuces = lying_of(standing, DEUCE_MELD) if "deuce" in rules.meld_kinds else ()
        self._told_apart = "deuce" in rules.meld_kinds or rules.wild_lock != "none"
        families = standing.spread.families
        idle = not self._every and not sums.counts and not rules.out_clean  # what no card joins decides nothing then
        self._kinds = [
            (kind, tuple([(meld.naturals, meld.wilds) for meld in families.get(kind, ())]))
            for kind in NATURAL_KINDS
            if held[kind] or (kind in families and not idle)
        ]
        self._found: dict[tuple[Kind | None, int], tuple[Reached, Reached]] = {}

    def succeeds(self) -> bool:
        """Whether they can be laid so, and the side may go out then."""
        lying = self._wilds, self._deuces
        return self._ends(lambda most: self._ranks(None, most), self._left, self.held[TWO], self.held[JOKER], lying)

    def allows(self, step: Meld) -> bool:
        """Whether the rest can be laid out so once the step, of a rank of which no card is kept for runs, is taken."""
        family = step.kind
        melds = [(meld.naturals, meld.wilds) for meld in self._standing.of_family(family) if meld.place != step.place]
        joined = self._standing.melds.get(step.place)
        natural, wild = parted(step.place, step.naturals, step.twos, step.jokers)
        meld = (natural, wild) if joined is None else (joined.naturals + natural, joined.wilds + wild)
        lying = (*melds, meld)
        before = counting(self._rules, family, lying_of(self._standing, family))
        gained = counting(self._rules, family, lying) - before
        twos, jokers = self.held[TWO] - step.twos, self.held[JOKER] - step.jokers
        left = [kind for kind in self._left if kind not in _WILDS or (twos, jokers)[kind == JOKER]]
        more = (self._sums.canasta * gained,)
        if family > ACE:
            others = (lying, self._deuces) if family == WILD_MELD else (self._wilds, lying)
            return self._ends(
                lambda most: self._sums.parted(self._ranks(None, most), more, ()), left, twos, jokers, others
            )
        closes = self._rules.dead_ranks and sum(meld) >= self._rules.canasta_size
        closed = closes or family in self._standing.closed
        count = self.held[family] - step.naturals

        def ranks(most: int) -> tuple[Reached, Reached]:
            own = self._options(family, lying, count, most, closed=closed)
            return self._sums.parted(self._sums.parted(self._ranks(family, most), *own), more, ())

        return self._ends(ranks, left, twos, jokers, (self._wilds, self._deuces))

    def _ranks(self, besides: Kind | None, most: int) -> tuple[Reached, Reached]:
        """What all ranks but one come to with at most so many wild cards each: every natural laid, or one left."""
        key = besides, most
        found = self._found.get(key)
        if found is None:
            sums, held, closed = self._sums, self.held, self._standing.closed
            found = sums.start, sums.nothing
            for kind, lying in self._kinds:
                if kind != besides:
                    options = self._options(kind, lying, held[kind], most, closed=kind in closed)
                    found = sums.parted(found, *options)
                    if not (found[0] or found[1]):
                        break
            self._found[key] = found
        return found

    def _options(self, kind: Kind, lying: Lying, naturals: int, most: int, *, closed: bool) -> tuple[Options, Options]:
        """What laying all naturals of a rank comes to, and all but one."""
        table, opening, regrouping = self._table, self._opening, self._regrouping
        alike = table.alike[kind]
        if closed:
            none = table[alike, lying, 0, 0, opening, regrouping]
            return () if naturals else none, none if naturals == 1 and kind in self._left else ()
        whole = table[alike, lying, naturals, most, opening, regrouping]
        if not naturals or kind not in self._left:
            return whole, ()
        return whole, table[alike, lying, naturals - 1, most, opening, regrouping]

    def _ends(
        self,
        ranks: Callable[[int], tuple[Reached, Reached]],
        left: Collection[Kind | None],
        twos: int,
        jokers: int,
        lying: tuple[Lying, Lying],
    ) -> bool:
        """Whether the wild cards can all be laid, or all but the card that is left, and the side may go out then."""
        sums = self._sums
        every_card = not _LAID_BY_NOBODY.isdisjoint(left)
        for most, options in self._parts(twos, jokers, lying):
            whole, short = ranks(most)
            reached = sums.either(whole, short) if every_card else short
            if reached and sums.ends(sums.joined(reached, options), twos + jokers, runs=self._runs):
                return True
        for wild in _WILDS:
            if wild in left:
                fewer = (twos - 1, jokers) if wild == TWO else (twos, jokers - 1)
                for most, options in self._parts(*fewer, lying):
                    reached = sums.joined(ranks(most)[0], options)
                    if sums.ends(reached, sum(fewer), runs=self._runs):
                        return True
                if not self._told_apart:
                    break
        return False

    def _parts(self, twos: int, jokers: int, lying: tuple[Lying, Lying]) -> Iterator[tuple[int, Options]]:
        """What wild cards among themselves and twos as a rank come to, and how many then may join each rank."""
        rules = self._rules
        wilds, deuces = lying
        alone = "wild" in rules.meld_kinds
        table, opening = self._table, self._opening
        if not self._told_apart:
            some = alone and (wilds or twos + jokers)
            yield self._enough, table[WILD_MELD, wilds, 0, twos + jokers, opening, False] if some else NO_CARD
            return
        for melds in regrouped(rules, deuces) if self._regrouping else (deuces,):
            locking = self._locking(wilds, melds)
            for count in range(twos + 1) if "deuce" in rules.meld_kinds else (0,):
                for most, finished in self._bound(locking, count, twos, jokers):
                    of_wilds, of_deuces = NO_CARD, NO_CARD
                    if alone:
                        ways = self._sums.finished if finished == WILD_MELD else table
                        of_wilds = ways[WILD_MELD, wilds, 0, twos - count + jokers, opening, False]
                    if "deuce" in rules.meld_kinds:
                        ways = self._sums.finished if finished == DEUCE_MELD else table
                        of_deuces = ways[DEUCE_MELD, melds, count, jokers, opening, False]
                    yield most, tuple([count + one + other for one in of_wilds for other in of_deuces])

    def _bound(
        self, locking: Family | None, deuces: int, twos: int, jokers: int
    ) -> Iterator[tuple[int, Family | None]]:
        """How many wild cards may join a rank, and the family that has to be a canasta for that, if any."""
        if locking is None:
            yield self._enough, None
            return
        alone = "wild" in self._rules.meld_kinds
        if alone or deuces == twos:
            locks_all = self._rules.wild_lock == "all"
            yield 0 if locks_all else jokers if alone else self._enough, None
        yield self._enough, locking

    def _locking(self, wilds: Lying, deuces: Lying) -> Family | None:
        """The family of an unfinished meld that binds wild cards."""
        if self._rules.wild_lock == "none":
            return None
        size = self._rules.canasta_size
        for family, melds in ((WILD_MELD, wilds), (DEUCE_MELD, deuces)):
            if any(sum(meld) < size for meld in melds):
                return family
        return None
