"""Clashes: why themes cannot be played over a rule set, or not together, found before anybody sits down.

Themes are refused that would leave no game: where no initial meld can be made, no canasta can arise, or a deal cannot
end. A ban on discards, also that on freezing the pile a second time, gives way to a hand that holds nothing else. No
other condition can take the last legal act, since drawing and discarding stay.

Decides `docs/rules/themes.md`. Reads `canasta_size`, `decks`, `hand_size`, `max_wilds`, `meld_min`, `min_naturals`,
`out_canastas`, `same_rank_melds`, `stock_end`, `theme`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import lcm
from typing import Final

from bot.engine.cards.cards import Kind
from bot.engine.cards.places import Family
from bot.engine.rules.rule_set import RuleSet, in_deal, of_all_deals
from bot.engine.rules.themes.conditions import KINDS, RANK_FAMILIES, Condition, What, families_of, kinds_of
from bot.engine.table.force import combine_conditions, conditions_of, ranks_for

_MOST_DEALS: Final = 200
"""The most deals that are looked at, where themes take turns of different lengths."""

_RANKS_LEFT: Final = 3
"""Ranks that have to be left for an initial meld."""


def _deals(rules: RuleSet) -> range:
    turns = lcm(*[len(theme.turns) for theme in rules.theme])
    last = max(
        [one.number for theme in rules.theme for turn in theme.turns for one in turn if one.until == "deal"] + [1]
    )
    return range(1, min(_MOST_DEALS, max(turns, last)) + 1)


def clashing(rules: RuleSet) -> list[tuple[str, str]]:
    """Pairs of themes of which one asks for what the other forbids in some deal; each pair once.

    A theme may clash with itself.
    """
    found = [pair for deal in _deals(rules) for pair in _clashing_in(rules, deal)]
    return list(dict.fromkeys(found))


def _here(rules: RuleSet, deal: int) -> dict[What, list[tuple[str, Condition]]]:
    """The conditions of that deal by what they ask, without those that have ended before it."""
    return {
        what: [(name, one) for name, one in named if one.until != "deal" or deal < one.number]
        for what, named in conditions_of(rules, deal).items()
    }


def _clashing_in(rules: RuleSet, deal: int) -> Iterator[tuple[str, str]]:
    here = _here(rules, deal)
    banned = [(name, one) for what in ("no_meld", "open_without") for name, one in here.get(what, ())]
    for name, wanted in here.get("open_with", ()):
        for other, ban in banned:
            if any(ranks <= kinds_of(ban.ranks) for ranks in _asked(wanted)):
                yield name, other
    forever = _forever(here)
    waiting = [(name, one) for name, one in here.get("no_meld", ()) if one.until == "canasta" and not one.by_seat]
    barred = [*forever, *here.get("no_canasta", ())]
    for what in _OF_CANASTAS:
        for name, wanted in here.get(what, ()):
            for other, ban in [*barred, *(waiting if what == "canasta_first" else ())]:
                if wanted.ranks and families_of(wanted.ranks) <= _families(ban):
                    yield name, other
            if _needs_wilds(wanted) and _closed(forever) >= _WILDS:
                yield name, next(name for name, ban in forever if kinds_of(ban.ranks) & _WILDS)
    first = here.get("canasta_first", ())
    if len(first) > 1 and _apart([one for _, one in first]):
        yield first[0][0], first[1][0]


def _forever(here: Mapping[What, Sequence[tuple[str, Condition]]]) -> list[tuple[str, Condition]]:
    """The bans on melding that hold for everybody as long as the deal lasts."""
    return [(name, one) for name, one in here.get("no_meld", ()) if one.until in ("never", "deal") and not one.by_seat]


def _closed(bans: Iterable[tuple[str, Condition]]) -> frozenset[Kind]:
    return frozenset().union(*[kinds_of(one.ranks) for _, one in bans])


def _needs_wilds(condition: Condition) -> bool:
    return condition.canasta == "mixed" or condition.ranks == ("wild",)


def _asked(condition: Condition) -> list[frozenset[Family]]:
    """The sets of ranks of which a seat has to have one rank each.

    With ranks by seat, each seat has a set of its own.
    """
    if condition.by_seat:
        return [kinds_of((rank,)) for rank in condition.ranks]
    return [kinds_of(condition.ranks)]


def _families(ban: Condition) -> frozenset[Family]:
    return families_of(ban.ranks) if ban.what == "no_canasta" else kinds_of(ban.ranks)


def _apart(conditions: list[Condition]) -> bool:
    """Whether no canasta could be the first that all the conditions want."""
    one = combine_conditions(conditions)
    return one is None or not one.ranks or len({each.canasta for each in conditions} - {"any"}) > 1


def without_ranks(rules: RuleSet) -> int | None:
    """The first deal in which too few ranks are left for anybody's initial meld; None where there is none."""
    for deal in _deals(rules):
        here = _here(rules, deal)
        bans = [kinds_of(one.ranks) for what in _OF_OPENING for _, one in here.get(what, ())]
        if len(RANK_FAMILIES - frozenset().union(*bans)) < _RANKS_LEFT:
            return deal
    return None


def without_discards(rules: RuleSet) -> int | None:
    """The first deal in which nobody may discard any card without a ban giving way; None where there is none."""
    for deal in _deals(rules):
        for seat in range(rules.players):
            bans = [kinds_of(ranks_for(one, seat)) for _, one in _here(rules, deal).get("no_discard", ())]
            if frozenset(KINDS.values()) <= frozenset().union(*bans):
                return deal
    return None


def without_canastas(rules: RuleSet, possible: Collection[str]) -> int | None:
    """The first deal in which no canasta can arise though going out needs one; None where there is none."""
    if not rules.out_canastas:
        return None
    ways = {"wild": "wild", "run": "seq"}
    all_families = RANK_FAMILIES.union(*[families_of((rank,)) for rank, kind in ways.items() if kind in possible])
    for deal in _deals(rules):
        here = _here(rules, deal)
        bans = [*_forever(here), *here.get("no_canasta", ())]
        if all_families <= frozenset().union(*[_families(one) for _, one in bans]):
            return deal
    return None


def without_needs(rules: RuleSet, needs: Collection[str]) -> list[str]:
    """The kinds of canastas that going out needs (`needs`) and that themes keep from arising in some deal."""
    found = []
    for deal in _deals(rules):
        here = _here(rules, deal)
        forever = _forever(here)
        barred = frozenset().union(*[_families(one) for _, one in [*forever, *here.get("no_canasta", ())]])
        without_wilds = _closed(forever) >= _WILDS
        found += [need for need in needs if need in ("mixed", "wild") and without_wilds]
        found += [need for need in needs if need == "7" and KINDS["7"] in barred]
    return list(dict.fromkeys(found))


def opening_size(rules: RuleSet) -> tuple[int, int] | None:
    """A deal in which an initial meld takes more cards than a hand has, and how many it takes.

    None where there is no such deal.
    """
    others = len(of_all_deals(rules.hand_size)) - 1  # deals with hands of their own
    for deal in range(1, _deals(rules).stop + others):
        wanted = [one for _, one in _here(rules, deal).get("open_with", ())]
        for seat in range(rules.players):
            apart: list[frozenset[Family]] = []
            for ranks in sorted([families_of(ranks_for(one, seat)) for one in wanted], key=len):
                if not any(ranks & one for one in apart):
                    apart.append(ranks)
            if len(apart) * rules.meld_min > in_deal(rules.hand_size, deal):
                return deal, len(apart) * rules.meld_min
    return None


def cannot_arise(rules: RuleSet, possible: Collection[str]) -> list[str]:
    """The themes that ask for canastas which the rules do not have.

    `possible` are the kinds of canastas that the rules have, called as in `out_need`.
    """
    return [
        theme.name
        for theme in rules.theme
        if any(not _may_arise(rules, one, possible) for turn in theme.turns for one in turn)
    ]


_OF_CANASTAS: Final[tuple[What, ...]] = ("canasta_first", "out_with", "wins_with")
_OF_OPENING: Final[tuple[What, ...]] = ("no_meld", "open_without")
_WILDS: Final = frozenset({KINDS["2"], KINDS["JK"]})


def _may_arise(rules: RuleSet, condition: Condition, possible: Collection[str]) -> bool:
    """Whether the canastas that a condition asks for, or waits for, can arise."""
    if condition.what not in _OF_CANASTAS:
        waits = condition.until == "canasta" and condition.canasta != "any"
        in_vain = condition.canasta == "mixed" and condition.what == "no_meld" and kinds_of(condition.ranks) >= _WILDS
        return not waits or (condition.canasta in possible and not in_vain)
    return 0 < max(1, condition.number) <= sum(_most_of(rules, condition, possible))


def _most_of(rules: RuleSet, condition: Condition, possible: Collection[str]) -> Iterator[int]:
    """The most canastas there can be, for each rank that a condition names."""
    ways = {"wild": "wild", "run": "seq"}
    named = condition.ranks or (*[rank for rank in KINDS if KINDS[rank] in RANK_FAMILIES], *ways)
    for rank in named:
        if rank in ways:
            yield _MANY if condition.canasta == "any" and ways[rank] in possible else 0
        elif not ({"natural", "mixed"} if condition.canasta == "any" else {condition.canasta}) & set(possible):
            yield 0
        elif rules.same_rank_melds == "one":
            yield 1
        else:
            least = rules.canasta_size if condition.canasta == "natural" else rules.canasta_size - rules.max_wilds
            yield 4 * rules.decks // max(1, rules.min_naturals, least)


_MANY: Final = 8
"""The number told for runs and canastas of wild cards, which are not counted more closely."""


def endless(rules: RuleSet) -> str | None:
    """The theme by which a deal would never end, None where there is none.

    Nobody goes out in it, while the pile becomes the stock again and again.
    """
    if rules.stock_end != "reshuffle":
        return None
    for theme in rules.theme:
        for turn in theme.turns:
            if any(one.what == "no_out" and one.until != "turn" for one in turn):
                return theme.name
    return None
