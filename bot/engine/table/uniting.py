"""Uniting: how the melds of several sides become those of one, once it is settled in a deal who plays with whom.

Decides `docs/law/classic.md 2.2`. Reads `max_wilds`, `meld_min`, `min_naturals`, `same_rank_melds`, `teams`.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.engine.cards.places import Place, family_of, free_place
from bot.engine.melds.melds import TableMeld
from bot.engine.melds.spread import spread_of
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.seating import seating_of
from bot.engine.table.state import State


def form_sides(after: State, alone: int) -> None:
    """From now on one seat plays alone against the others. The state is changed in place: it has to be a fresh copy."""
    rules = after.rules
    before = after.seating
    seating = seating_of(rules.teams, rules.players, after.deal, alone)
    former = [[before.side_by_seat[seat] for seat in seating.seats_of(side)] for side in range(seating.sides)]
    after.alone = alone
    after.seating = seating
    after.side = seating.side_by_seat[after.turn]
    after.opened = tuple([any(after.opened[one] for one in sides) for sides in former])
    after.melds = tuple([_united(rules, [meld for one in sides for meld in after.melds[one]]) for sides in former])
    after.spreads = tuple([spread_of(rules, melds) for melds in after.melds])


def may_be_united(state: State, meld: TableMeld) -> bool:
    """Whether the meld may have been made of two melds of a rank, each of which may lie by itself."""
    rules = state.rules
    enough = meld.naturals >= 2 * rules.min_naturals and meld.size >= 2 * rules.meld_min
    return state.alone is not None and enough and meld.wilds <= 2 * rules.max_wilds


def _united(rules: RuleSet, melds: Iterable[TableMeld]) -> tuple[TableMeld, ...]:
    """The melds at places of one side; where it has one meld of each rank, those of a rank are put together.

    No source says what becomes of more wild cards than a meld may hold. They stay, and the meld takes no other
    (`docs/law/classic.md 2.2`).
    """
    by_place: dict[Place, TableMeld] = {}
    for meld in melds:
        lying = by_place.get(meld.place)
        if lying is None:
            by_place[meld.place] = meld
        elif rules.same_rank_melds == "one":
            by_place[meld.place] = _together(lying, meld)
        else:
            place = free_place(family_of(meld.place), by_place)
            by_place[place] = TableMeld(place, meld.naturals, meld.wilds, meld.cards)
    return tuple(by_place.values())


def _together(first: TableMeld, second: TableMeld) -> TableMeld:
    cards = tuple(sorted(first.cards + second.cards))
    return TableMeld(first.place, first.naturals + second.naturals, first.wilds + second.wilds, cards)
