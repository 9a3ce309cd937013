"""Dividing the wild cards of a hand among the families, and the ways to meld each family with them.

Decides `docs/law/variants.md 3.6`. Reads `canasta_size`, `meld_kinds`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.engine.cards.cards import JOKER, NATURAL_KINDS, TWO, value_class
from bot.engine.cards.meld_places import DEUCE_MELD, WILD_MELD, Family
from bot.engine.reach.opening_goals import Demand, Goal
from bot.engine.reach.search_demands import ThemeDemands
from bot.engine.reach.turn_outlook import Standing
from bot.engine.reach.ways_to_meld import MeldSizes, Way, ways_of, ways_with_all_naturals


@value_class
class WildCardDivision:
    """A division of a hand's wild cards.

    `deuces` twos are melded as a rank. Of the other wild cards at most `most` may be melded, and at most `spare` of
    them with naturals. `alone` says whether wild cards may form melds of their own. `finish` is the family that must
    become a canasta before wild cards may go elsewhere, or None.
    """

    deuces: int
    spare: int
    most: int
    alone: bool
    finish: Family | None


def divisions_of_wilds(standing: Standing, twos: int, jokers: int, *, wilds: bool = True) -> Iterator[WildCardDivision]:
    """Yield the ways to divide the wild cards of a hand that differ under these rules (`wild_lock`).

    With `wilds` false no wild card may be melded. Source: `docs/law/variants.md A.1`.
    """
    rules = standing.rules
    if not wilds:  # melds of twos as a rank remain, since twos are naturals in them (`docs/law/variants.md 3.6`)
        for deuces in range(twos + 1) if "deuce" in rules.meld_kinds else (0,):
            yield WildCardDivision(deuces, 0, 0, alone=False, finish=None)
        return
    alone = "wild" in rules.meld_kinds
    locked = standing.locked_wild_kinds()
    for deuces in range(twos + 1) if "deuce" in rules.meld_kinds else (0,):
        others = twos - deuces + jokers
        if not locked:
            yield WildCardDivision(deuces, others, others, alone, None)
            continue
        spare = jokers if locked == {TWO} else 0
        yield WildCardDivision(deuces, spare, others if alone else jokers, alone, None)
        yield WildCardDivision(deuces, others, others, alone, standing.locking_family())


def meldable_wilds(standing: Standing, held: Sequence[int]) -> tuple[int, int]:
    """Return the numbers of twos and of jokers in the hand that may be melded at all."""
    closed = standing.closed
    return 0 if TWO in closed else held[TWO], 0 if JOKER in closed else held[JOKER]


def melds_of_family(standing: Standing, family: Family) -> MeldSizes:
    """Return the melds of a family, each as its numbers of naturals and wild cards."""
    return tuple([(meld.naturals, meld.wilds) for meld in standing.melds_of_family(family)])


def families_for(standing: Standing, held: Sequence[int], division: WildCardDivision) -> list[Family]:
    """Return the families in which cards of the hand could be melded."""
    found: list[Family] = [WILD_MELD] if division.alone else []
    if division.deuces or "deuce" in standing.rules.meld_kinds:
        found.append(DEUCE_MELD)
    wilds = held[TWO] + held[JOKER]
    found += [
        kind
        for kind in NATURAL_KINDS
        if kind not in standing.closed and (held[kind] or (wilds and kind in standing.spread.families))
    ]
    return found


def ways_to_lay(standing: Standing, family: Family, held: Sequence[int], division: WildCardDivision) -> Sequence[Way]:
    """Return the ways to meld cards of that family with this division of wild cards."""
    rules, lying = standing.rules, melds_of_family(standing, family)
    if family == WILD_MELD:
        free = 0, division.most
    elif family == DEUCE_MELD:
        free = division.deuces, held[JOKER]
    else:
        free = (0, 0) if family in standing.closed else (held[family], division.spare)
    ways: Sequence[Way] = ways_of(rules, family, lying, free, opening=standing.opening)
    if family == DEUCE_MELD:
        ways = [way for way in ways if way.naturals == division.deuces]
    if family == division.finish:
        before = sum([sum(meld) >= rules.canasta_size for meld in lying])
        ways = [way for way in ways if way.canastas > before]
    return ways


def ways_to_lay_all_naturals(
    standing: Standing, family: Family, held: Sequence[int], division: WildCardDivision
) -> Sequence[Way]:
    """Return the ways to meld every natural of that family after which the side may still go out.

    Twos that are melded as a rank are naturals there.
    """
    if family in (WILD_MELD, DEUCE_MELD) or family in standing.closed:
        naturals = 0 if family == WILD_MELD else division.deuces if family == DEUCE_MELD else held[family]
        ways = ways_to_lay(standing, family, held, division)
        return [way for way in ways if way.naturals == naturals and not way.unfinished]
    lying = melds_of_family(standing, family)
    return ways_with_all_naturals(
        standing.rules, family, lying, (held[family], division.spare), opening=standing.opening
    )


def is_demand_met_by(demand: Demand, family: Family, way: Way) -> bool:
    """Return whether melding a family that way meets the demand of an initial meld."""
    match demand:
        case "clean":
            return way.clean
        case "wild":
            return family == WILD_MELD and way.wilds > 0
        case "canasta":
            return way.canastas > 0
        case "natural_canasta":
            return way.canastas > (0 if family == DEUCE_MELD else way.mixed_canastas)
        case "splash":
            return family != DEUCE_MELD and way.natural_canastas + way.wild_canastas > 0
        case _:
            return False


def theme_demands_of(standing: Standing, goal: Goal) -> ThemeDemands | None:
    """Return what themes demand of the melds in a search for that goal; None if they demand nothing."""
    return ThemeDemands(standing, goal) if goal.groups or standing.limits is not None else None
