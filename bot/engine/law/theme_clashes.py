"""Clashes: why themes cannot be played with a rule set, or not together.

Themes are refused if they would make the game impossible: no initial meld, no canasta, or a deal without end. A ban on
discards, and the ban on freezing the pile twice, does not apply to a hand that holds nothing else. No other condition
can remove the last legal act, since drawing and discarding stay.

Decides `docs/rules/themes.md`. Reads `canasta_size`, `decks`, `hand_size`, `max_wilds`, `meld_min`, `min_naturals`,
`out_canastas`, `same_rank_melds`, `stock_end`, `theme`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import lcm
from typing import Final

from bot.engine.cards.cards import Kind
from bot.engine.cards.meld_places import Family
from bot.engine.rules.rule_set import RuleSet, number_in_deal, numbers_of_all_deals
from bot.engine.rules.themes.conditions import KINDS, RANK_FAMILIES, Condition, What, families_of, kinds_of
from bot.engine.table.themes_in_force import combine_conditions, conditions_of_deal, ranks_for

_MOST_DEALS: Final = 200
"""The most deals to examine, for themes with cycles of different lengths."""

_RANKS_LEFT: Final = 3
"""The least number of ranks that must be left for an initial meld."""


def _deals_to_examine(rules: RuleSet) -> range:
    """Return the deals until the themes' conditions repeat or have ended."""
    turns = lcm(*[len(theme.turns) for theme in rules.theme])
    last = max(
        [one.number for theme in rules.theme for turn in theme.turns for one in turn if one.until == "deal"] + [1]
    )
    return range(1, min(_MOST_DEALS, max(turns, last)) + 1)


def clashing_themes(rules: RuleSet) -> list[tuple[str, str]]:
    """Return pairs of themes one of which demands what the other forbids in some deal; each pair once.

    A theme may clash with itself.
    """
    found = [pair for deal in _deals_to_examine(rules) for pair in _clashes_in_deal(rules, deal)]
    return list(dict.fromkeys(found))


def _conditions_in_deal(rules: RuleSet, deal: int) -> dict[What, list[tuple[str, Condition]]]:
    """Return the conditions of that deal by the sort of their demand, each with its theme.

    Conditions that ended before the deal are left out.
    """
    return {
        what: [(name, one) for name, one in named if one.until != "deal" or deal < one.number]
        for what, named in conditions_of_deal(rules, deal).items()
    }


def _clashes_in_deal(rules: RuleSet, deal: int) -> Iterator[tuple[str, str]]:
    """Yield the pairs of themes that contradict each other in that deal."""
    here = _conditions_in_deal(rules, deal)
    banned = [(name, one) for what in ("no_meld", "open_without") for name, one in here.get(what, ())]
    for name, wanted in here.get("open_with", ()):
        for other, ban in banned:
            if any(ranks <= kinds_of(ban.ranks) for ranks in _demanded_ranks(wanted)):
                yield name, other
    forever = _permanent_bans(here)
    waiting = [(name, one) for name, one in here.get("no_meld", ()) if one.until == "canasta" and not one.by_seat]
    barred = [*forever, *here.get("no_canasta", ())]
    for what in _OF_CANASTAS:
        for name, wanted in here.get(what, ()):
            for other, ban in [*barred, *(waiting if what == "canasta_first" else ())]:
                if wanted.ranks and families_of(wanted.ranks) <= _banned_families(ban):
                    yield name, other
            if _demands_wild_cards(wanted) and _banned_kinds(forever) >= _WILDS:
                yield name, next(name for name, ban in forever if kinds_of(ban.ranks) & _WILDS)
    first = here.get("canasta_first", ())
    if len(first) > 1 and _are_conditions_exclusive([one for _, one in first]):
        yield first[0][0], first[1][0]


def _permanent_bans(conditions: Mapping[What, Sequence[tuple[str, Condition]]]) -> list[tuple[str, Condition]]:
    """Return the bans on melding that hold for all players during the whole deal."""
    return [
        (name, one) for name, one in conditions.get("no_meld", ()) if one.until in ("never", "deal") and not one.by_seat
    ]


def _banned_kinds(bans: Iterable[tuple[str, Condition]]) -> frozenset[Kind]:
    """Return the kinds of cards that these bans forbid to meld."""
    return frozenset().union(*[kinds_of(one.ranks) for _, one in bans])


def _demands_wild_cards(condition: Condition) -> bool:
    """Return whether a condition demands mixed canastas, or canastas of wild cards alone."""
    return condition.canasta == "mixed" or condition.ranks == ("wild",)


def _demanded_ranks(condition: Condition) -> list[frozenset[Family]]:
    """Return the sets of ranks from each of which a seat must have one rank.

    With ranks by seat, each seat has its own set.
    """
    if condition.by_seat:
        return [kinds_of((rank,)) for rank in condition.ranks]
    return [kinds_of(condition.ranks)]


def _banned_families(ban: Condition) -> frozenset[Family]:
    """Return the families of melds that a ban forbids."""
    return families_of(ban.ranks) if ban.what == "no_canasta" else kinds_of(ban.ranks)


def _are_conditions_exclusive(conditions: list[Condition]) -> bool:
    """Return whether no canasta could be the first one for all of these conditions."""
    one = combine_conditions(conditions)
    return one is None or not one.ranks or len({each.canasta for each in conditions} - {"any"}) > 1


def first_deal_without_ranks(rules: RuleSet) -> int | None:
    """Return the first deal in which too few ranks are left for an initial meld, or None."""
    for deal in _deals_to_examine(rules):
        here = _conditions_in_deal(rules, deal)
        bans = [kinds_of(one.ranks) for what in _OF_OPENING for _, one in here.get(what, ())]
        if len(RANK_FAMILIES - frozenset().union(*bans)) < _RANKS_LEFT:
            return deal
    return None


def first_deal_without_discards(rules: RuleSet) -> int | None:
    """Return the first deal in which the themes ban every discard, or None."""
    for deal in _deals_to_examine(rules):
        for seat in range(rules.players):
            bans = [kinds_of(ranks_for(one, seat)) for _, one in _conditions_in_deal(rules, deal).get("no_discard", ())]
            if frozenset(KINDS.values()) <= frozenset().union(*bans):
                return deal
    return None


def first_deal_without_canastas(rules: RuleSet, possible: Collection[str]) -> int | None:
    """Return the first deal in which canastas are impossible though going out needs one, or None."""
    if not rules.out_canastas:
        return None
    ways = {"wild": "wild", "run": "seq"}
    all_families = RANK_FAMILIES.union(*[families_of((rank,)) for rank, kind in ways.items() if kind in possible])
    for deal in _deals_to_examine(rules):
        here = _conditions_in_deal(rules, deal)
        bans = [*_permanent_bans(here), *here.get("no_canasta", ())]
        if all_families <= frozenset().union(*[_banned_families(one) for _, one in bans]):
            return deal
    return None


def impossible_canasta_sorts(rules: RuleSet, needs: Collection[str]) -> list[str]:
    """Return the sorts of canastas in `needs` that themes make impossible in some deal."""
    found = []
    for deal in _deals_to_examine(rules):
        here = _conditions_in_deal(rules, deal)
        forever = _permanent_bans(here)
        barred = frozenset().union(*[_banned_families(one) for _, one in [*forever, *here.get("no_canasta", ())]])
        without_wilds = _banned_kinds(forever) >= _WILDS
        found += [need for need in needs if need in ("mixed", "wild") and without_wilds]
        found += [need for need in needs if need == "7" and KINDS["7"] in barred]
    return list(dict.fromkeys(found))


def first_deal_with_too_large_opening(rules: RuleSet) -> tuple[int, int] | None:
    """Return a deal whose initial meld needs more cards than a hand has, and the number it needs.

    None if there is no such deal.
    """
    others = len(numbers_of_all_deals(rules.hand_size)) - 1  # later deals may have hands of another size
    for deal in range(1, _deals_to_examine(rules).stop + others):
        wanted = [one for _, one in _conditions_in_deal(rules, deal).get("open_with", ())]
        for seat in range(rules.players):
            apart: list[frozenset[Family]] = []
            for ranks in sorted([families_of(ranks_for(one, seat)) for one in wanted], key=len):
                if not any(ranks & one for one in apart):
                    apart.append(ranks)
            if len(apart) * rules.meld_min > number_in_deal(rules.hand_size, deal):
                return deal, len(apart) * rules.meld_min
    return None


def impossible_themes(rules: RuleSet, possible: Collection[str]) -> list[str]:
    """Return the themes that demand canastas which the rules do not have.

    `possible` are the sorts of canastas of the rules, by the names of `out_need`.
    """
    return [
        theme.name
        for theme in rules.theme
        if any(not _can_condition_be_met(rules, one, possible) for turn in theme.turns for one in turn)
    ]


_OF_CANASTAS: Final[tuple[What, ...]] = ("canasta_first", "out_with", "wins_with")
_OF_OPENING: Final[tuple[What, ...]] = ("no_meld", "open_without")
_WILDS: Final = frozenset({KINDS["2"], KINDS["JK"]})


def _can_condition_be_met(rules: RuleSet, condition: Condition, possible: Collection[str]) -> bool:
    """Return whether the canastas that a condition demands, or waits for, are possible."""
    if condition.what not in _OF_CANASTAS:
        waits = condition.until == "canasta" and condition.canasta != "any"
        in_vain = condition.canasta == "mixed" and condition.what == "no_meld" and kinds_of(condition.ranks) >= _WILDS
        return not waits or (condition.canasta in possible and not in_vain)
    return 0 < max(1, condition.number) <= sum(_most_canastas_of(rules, condition, possible))


def _most_canastas_of(rules: RuleSet, condition: Condition, possible: Collection[str]) -> Iterator[int]:
    """Yield, for each rank that a condition names, the most canastas of it that are possible."""
    ways = {"wild": "wild", "run": "seq"}
    named = condition.ranks or (*[rank for rank in KINDS if KINDS[rank] in RANK_FAMILIES], *ways)
    for rank in named:
        if rank in ways:
            yield _UNCOUNTED if condition.canasta == "any" and ways[rank] in possible else 0
        elif not ({"natural", "mixed"} if condition.canasta == "any" else {condition.canasta}) & set(possible):
            yield 0
        elif rules.same_rank_melds == "one":
            yield 1
        else:
            least = rules.canasta_size if condition.canasta == "natural" else rules.canasta_size - rules.max_wilds
            yield 4 * rules.decks // max(1, rules.min_naturals, least)


_UNCOUNTED: Final = 8
"""The number used for runs and canastas of wild cards, which are not counted exactly."""


def theme_without_deal_end(rules: RuleSet) -> str | None:
    """Return the theme by which a deal would never end, or None.

    It forbids going out while the pile is reshuffled into the stock again and again.
    """
    if rules.stock_end != "reshuffle":
        return None
    for theme in rules.theme:
        for turn in theme.turns:
            if any(one.what == "no_out" and one.until != "turn" for one in turn):
                return theme.name
    return None
