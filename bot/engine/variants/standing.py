"""Standing: what lies before a side, as far as it decides what may be laid next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bot.engine.cards import ACE, BLACK_THREE, JOKER, TWO, Kind
from bot.engine.melds import TableMeld
from bot.engine.places import DEUCE_MELD, WILD_MELD, Family, Place, family_of, free_place
from bot.engine.rules import RuleSet
from bot.engine.state import State
from bot.engine.values import value


@value
class Standing:
    """The melds of the side in turn, and what limits what joins them.

    `closed` are the ranks that nobody melds any more; `opening` tells that the side had not made its initial meld
    when the turn began, so that all it lays now belongs to that.
    """

    rules: RuleSet
    melds: Mapping[Place, TableMeld]
    closed: frozenset[Kind]
    opening: bool

    def of_family(self, family: Family) -> Iterator[TableMeld]:
        """The melds of a family, in the order they were begun."""
        return (meld for place, meld in self.melds.items() if family_of(place) == family)

    def may_begin(self, family: Family) -> bool:
        """Whether another meld of that family may be begun (`rules/variants.md A.1`, `same_rank_melds`)."""
        if self.rules.same_rank_melds == "many" and family != BLACK_THREE:
            return True
        lying = list(self.of_family(family))
        if self.rules.same_rank_melds == "after_close" or family == WILD_MELD:
            return all(meld.size >= self.rules.canasta_size for meld in lying)
        return not lying

    def new_place(self, family: Family) -> Place:
        """Where the next meld of that family would lie."""
        return free_place(family, self.melds)

    def targets(self, family: Family) -> list[Place]:
        """The places of a family that cards could join, a new one last."""
        places = [place for place in self.melds if family_of(place) == family]
        return [*places, self.new_place(family)] if self.may_begin(family) else places

    def with_meld(self, meld: TableMeld) -> Standing:
        """The standing when that meld lies there, in place of the smaller one."""
        return Standing(self.rules, {**self.melds, meld.place: meld}, self.closed, self.opening)

    def locked(self) -> frozenset[Kind]:
        """The wild cards that may join nothing but the unfinished meld of wild cards or of twos (`wild_lock`)."""
        lock = self.rules.wild_lock
        if lock == "none":
            return frozenset()
        for family in (WILD_MELD, DEUCE_MELD):
            if any(meld.size < self.rules.canasta_size for meld in self.of_family(family)):
                return frozenset({TWO}) if lock == "twos" else frozenset({TWO, JOKER})
        return frozenset()


def standing_of(state: State) -> Standing:
    """The standing of the side in turn."""
    rules = state.rules
    seating = state.seating
    side = seating.side_by_seat[state.turn]
    closed: frozenset[Kind] = frozenset()
    if rules.dead_ranks:
        closed = frozenset(
            meld.kind for melds in state.melds for meld in melds if meld.size >= rules.canasta_size and meld.kind <= ACE
        )
    opened_before = state.opened[side] and any(
        seat in state.melded_seats for seat, of in enumerate(seating.side_by_seat) if of == side
    )
    return Standing(rules, state.spreads[side].by_place, closed, not opened_before)
