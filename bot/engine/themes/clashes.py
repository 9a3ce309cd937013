"""Clashes: why themes cannot be played over a rule set, or not together, found before anybody sits down.

A discard that a theme bans gives way to a hand that holds nothing else, and so does a wild card where the pile was
frozen before. Nothing else does: the other conditions never take the last legal act, since drawing and discarding stay.
What is refused here is what would take all sense from a game: a first meld, a canasta or an end that cannot come.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from math import lcm
from typing import Final

from bot.engine.places import Family
from bot.engine.rules import RuleSet
from bot.engine.themes.conditions import RANK_FAMILIES, Condition, families_of, kinds_of
from bot.engine.themes.force import conditions_of, together

_MOST_DEALS: Final = 200
"""Deals that are looked at where themes take turns of different lengths."""

_RANKS_LEFT: Final = 3
"""Ranks that have to be left for a first meld."""


def _deals(rules: RuleSet) -> range:
    turns = lcm(*[len(theme.turns) for theme in rules.theme])
    last = max(
        [one.number for theme in rules.theme for turn in theme.turns for one in turn if one.until == "deal"] + [1]
    )
    return range(1, min(_MOST_DEALS, max(turns, last)) + 1)


def clashing(rules: RuleSet) -> list[tuple[str, str]]:
    """Pairs of themes, one perhaps with itself, that ask for what the other forbids in some deal; each pair once."""
    found = [pair for deal in _deals(rules) for pair in _clashing_in(rules, deal)]
    return list(dict.fromkeys(found))


def _clashing_in(rules: RuleSet, deal: int) -> Iterator[tuple[str, str]]:
    here = conditions_of(rules, deal)
    banned = [(name, one) for what in ("no_meld", "open_without") for name, one in here.get(what, ())]
    for name, wanted in here.get("open_with", ()):
        for other, ban in banned:
            if any(ranks <= kinds_of(ban.ranks) for ranks in _asked(wanted)):
                yield name, other
    forever = [(name, one) for name, one in here.get("no_meld", ()) if one.until == "never" and not one.by_seat]
    barred = [*forever, *here.get("no_canasta", ())]
    for what in ("canasta_first", "out_with", "wins_with"):
        for name, wanted in here.get(what, ()):
            for other, ban in barred:
                if wanted.ranks and families_of(wanted.ranks) <= _families(ban):
                    yield name, other
    first = here.get("canasta_first", ())
    if len(first) > 1 and _apart([one for _, one in first]):
        yield first[0][0], first[1][0]


def _asked(condition: Condition) -> list[frozenset[Family]]:
    """The sets of ranks of which a seat has to have one: with ranks by seat each for itself."""
    if condition.by_seat:
        return [kinds_of((rank,)) for rank in condition.ranks]
    return [kinds_of(condition.ranks)]


def _families(ban: Condition) -> frozenset[Family]:
    return families_of(ban.ranks) if ban.what == "no_canasta" else kinds_of(ban.ranks)


def _apart(conditions: list[Condition]) -> bool:
    """Whether no canasta is the first that all of them want."""
    one = together(conditions)
    return one is None or not one.ranks or len({each.canasta for each in conditions} - {"any"}) > 1


def without_ranks(rules: RuleSet) -> int | None:
    """The first deal in which too few ranks are left for anybody's first meld, if there is one."""
    for deal in _deals(rules):
        here = conditions_of(rules, deal)
        bans = [kinds_of(one.ranks) for what in ("no_meld", "open_without") for _, one in here.get(what, ())]
        if len(RANK_FAMILIES - frozenset().union(*bans)) < _RANKS_LEFT:
            return deal
    return None


def cannot_arise(rules: RuleSet, possible: Collection[str]) -> list[str]:
    """The themes that ask for canastas which the rules have not: `possible` are their kinds, as in `out_need`."""
    return [
        theme.name
        for theme in rules.theme
        if any(one.what in _OF_CANASTAS and not _may_arise(one, possible) for turn in theme.turns for one in turn)
    ]


_OF_CANASTAS: Final = ("canasta_first", "out_with", "wins_with")


def _may_arise(condition: Condition, possible: Collection[str]) -> bool:
    ways = {"wild": "wild", "run": "seq"}
    if condition.canasta != "any":
        return condition.canasta in possible
    return not condition.ranks or any(
        ways[rank] in possible if rank in ways else bool({"natural", "mixed"} & set(possible))
        for rank in condition.ranks
    )


def endless(rules: RuleSet) -> str | None:
    """The theme by which a deal would never end: nobody goes out, and the stock is made anew, if there is one."""
    if rules.stock_end != "reshuffle":
        return None
    for theme in rules.theme:
        for turn in theme.turns:
            if any(one.what == "no_out" and one.until != "turn" for one in turn):
                return theme.name
    return None
