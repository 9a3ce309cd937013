"""Regrouping: melds of one rank laid together, and what may come of that (`rules/variants.md 3.1`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from bot.engine.cards import Card
from bot.engine.evolve import meld_of, together
from bot.engine.melds import TableMeld
from bot.engine.places import WILD_MELD, is_run
from bot.engine.shapes import joins
from bot.engine.variants.bounds import cannot_finish, too_few_canastas
from bot.engine.variants.standing import Standing


def may_combine(standing: Standing, one: TableMeld, other: TableMeld) -> bool:
    """Whether two melds of a rank may be laid together: whichever was begun first.

    To a finished canasta the other comes as cards that are added to it. Two canastas stay apart: together they would
    be worth less.
    """
    rules = standing.rules
    if rules.same_rank_melds != "many" or one.place == other.place or one.kind != other.kind or is_run(one.place):
        return False
    small, large = sorted((one, other), key=lambda meld: meld.size)
    if small.size >= rules.canasta_size or small.kind == WILD_MELD:
        return False
    if joins(rules, (large.naturals, large.wilds), small.naturals, small.wilds):
        return True
    return large.size < rules.canasta_size and joins(rules, (small.naturals, small.wilds), large.naturals, large.wilds)


def combined(standing: Standing, moved: TableMeld, onto: TableMeld) -> Standing:
    """The standing when one meld has been laid together with another, at whose place both lie then."""
    melds = {place: meld for place, meld in standing.melds.items() if place != moved.place}
    melds[onto.place] = meld_of(onto.place, together(onto.cards, moved.cards))
    return standing.with_melds(melds.values())


def regroupings(standing: Standing) -> Iterator[Standing]:
    """The standing as it is, then every one that laying unfinished melds together leads to: some make canastas.

    Where a theme says in which order canastas come, only the standing as it is.
    """
    yield standing
    rules = standing.rules
    if rules.same_rank_melds != "many" or standing.limits is not None:
        return
    for lying in standing.spread.families.values():
        unfinished = [meld for meld in lying if meld.size < rules.canasta_size]
        for onto, moved in combinations(unfinished, 2):
            if may_combine(standing, moved, onto):
                yield from regroupings(combined(standing, moved, onto))


def never_finishes(standing: Standing, hand: Sequence[Card], held: Sequence[int]) -> bool:
    """Whether the hand certainly cannot be laid down in this turn, whichever melds are laid together."""
    return all(cannot_finish(one, hand, held) for one in regroupings(standing))


def never_enough_canastas(standing: Standing, hand: Sequence[Card], held: Sequence[int]) -> bool:
    """Whether the canastas that going out takes certainly cannot lie there when the turn is over."""
    return all(too_few_canastas(one, hand, held) for one in regroupings(standing))
