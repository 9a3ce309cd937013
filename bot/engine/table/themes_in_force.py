"""Themes in force: the conditions of a table's themes that apply to the seat in turn.

Each question has one function. Those that begin with `why` return a `Refusal` that names the theme, or None if no
theme forbids it.

Decides `docs/rules/themes.md`. Reads `canasta_size`, `theme`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final

from bot.engine.cards.cards import ACE, BLACK_THREE, JOKER, TWO, Kind, value_class
from bot.engine.cards.meld_places import Family, Place, family_of
from bot.engine.melds.canastas import is_canasta_of
from bot.engine.melds.table_meld import TableMeld
from bot.engine.moves.refusals import Code, Detail, Refusal, kind_name
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.themes.conditions import Condition, What, families_of, kinds_of
from bot.engine.table.state import State

ThemeCondition = tuple[str, Condition]
"""The name of a theme and one of its conditions."""

_WILDS: Final = frozenset({TWO, JOKER})
_NONE: Final[tuple[ThemeCondition, ...]] = ()
_ALL_FAMILIES: Final = families_of(())
"""The families of all melds."""


@lru_cache(maxsize=1 << 12)
def conditions_of_deal(rules: RuleSet, deal: int) -> Mapping[What, tuple[ThemeCondition, ...]]:
    """Return the conditions of a deal by the sort of their demand, each with its theme.

    Conditions that have ended are included.
    """
    found: dict[What, tuple[ThemeCondition, ...]] = {}
    for theme in rules.theme:
        for condition in theme.turns[(max(1, deal) - 1) % len(theme.turns)]:
            found[condition.what] = (*found.get(condition.what, ()), (theme.name, condition))
    return found


def running_conditions(state: State, what: What) -> Iterator[ThemeCondition]:
    """Yield the conditions of a sort that apply to the seat in turn now, with their themes."""
    for name, condition in conditions_of_deal(state.rules, state.deal).get(what, _NONE):
        if not _has_condition_ended(state, condition):
            yield name, condition


def _has_condition_ended(state: State, condition: Condition) -> bool:
    """Return whether a condition no longer applies to the seat in turn."""
    match condition.until:
        case "opened":
            return state.opened[state.side]
        case "canasta":
            return _has_canasta(state.rules, state.melds[state.side], condition)
        case "turn":
            return state.turns // len(state.seating.seats) + 1 >= condition.number
        case "deal":
            return state.deal >= condition.number
        case _:
            return False


def _has_canasta(rules: RuleSet, melds: Iterable[TableMeld], condition: Condition) -> bool:
    """Return whether these melds include the canasta with which a condition ends."""
    return any(is_canasta_of(rules, meld, _ALL_FAMILIES, condition.canasta) for meld in melds)


def ranks_for(condition: Condition, seat: int) -> tuple[str, ...]:
    """Return the ranks of a condition for that seat; with `by_seat` each seat has one of them."""
    return (condition.ranks[seat % len(condition.ranks)],) if condition.by_seat else condition.ranks


# --- bans on melding, and demands about canastas ----------------------------------------------------------------------


@value_class
class CanastaLimits:
    """The themes' demands about canastas, for the search for a legal end of the turn.

    - `first`: one of these canastas must come before any other; None without such a condition.
    - `never`: the families that may not become canastas.
    - `out`: the canastas required for going out, with their numbers.
    - `until`: conditions that end with a canasta, each with the kinds of cards that may not be melded before it.
    - `always`: the kinds of cards that may not be melded in any case.
    """

    first: Condition | None
    never: frozenset[Family]
    out: tuple[Condition, ...]
    until: tuple[tuple[Condition, frozenset[Kind]], ...] = ()
    always: frozenset[Kind] = frozenset()

    def kinds_closed_by(self, rules: RuleSet, melds: Iterable[TableMeld]) -> frozenset[Kind]:
        """Return the kinds of cards that may not be melded when a side has these melds."""
        lying = tuple(melds)
        waiting = [kinds for one, kinds in self.until if not _has_canasta(rules, lying, one)]
        return self.always.union(*waiting)


def canasta_limits_of(state: State, dead: frozenset[Kind], *, opening: bool) -> CanastaLimits | None:
    """Return the limits for the seat in turn; None if no theme has a demand about canastas.

    `dead` are the closed ranks; `opening` says that the side had not opened before this turn.
    """
    here = conditions_of_deal(state.rules, state.deal)
    until = tuple(
        [
            (condition, kinds_of(ranks_for(condition, state.turn)))
            for _, condition in here.get("no_meld", _NONE)
            if condition.until == "canasta"
        ]
    )
    if not until and not (here.keys() & _OF_CANASTAS):
        return None
    first = [condition for _, condition in running_conditions(state, "canasta_first")]
    never = [families_of(condition.ranks) for _, condition in running_conditions(state, "no_canasta")]
    out = [condition for _, condition in running_conditions(state, "out_with")]
    always = [kinds for _, condition, kinds in _bans_on_melding(state, opening=opening) if condition.until != "canasta"]
    return CanastaLimits(combine_conditions(first), frozenset().union(*never), tuple(out), until, dead.union(*always))


_OF_CANASTAS: Final[frozenset[What]] = frozenset({"canasta_first", "no_canasta", "out_with"})


def combine_conditions(conditions: list[Condition]) -> Condition | None:
    """Return one condition for the canasta that all these conditions want first; None without any."""
    if not conditions:
        return None
    kinds = {condition.canasta for condition in conditions} - {"any"}
    ranks = [rank for rank in conditions[0].ranks if all(rank in one.ranks for one in conditions)]
    return Condition("canasta_first", tuple(ranks), min(kinds, default="any"))


def _bans_on_melding(state: State, *, opening: bool) -> Iterator[tuple[str, Condition, frozenset[Kind]]]:
    """Yield each condition that forbids melding kinds of cards, with its theme and those kinds."""
    for what in ("no_meld", "open_without") if opening else ("no_meld",):
        for name, condition in running_conditions(state, what):
            yield name, condition, kinds_of(ranks_for(condition, state.turn))


def closed_kinds(state: State, *, opening: bool) -> frozenset[Kind]:
    """Return the kinds of cards that themes forbid the seat in turn to meld.

    `opening` says that its side had not opened before this turn.
    """
    return frozenset().union(*[kinds for _, _, kinds in _bans_on_melding(state, opening=opening)])


def why_not_meld_kinds(state: State, kinds: Iterable[Kind], *, opening: bool) -> Refusal | None:
    """Return the refusal if cards of these kinds may not be melded, else None."""
    wanted = set(kinds)
    for name, condition, banned in _bans_on_melding(state, opening=opening):
        for kind in sorted(wanted & banned):
            code = Code.THEME_NOT_IN_OPENING if condition.what == "open_without" else Code.THEME_NO_MELD
            return Refusal(code, {"theme": name, "kind": kind_name(kind)})
    return None


def why_themes_forbid_growth(state: State, place: Place, before: int, after: int) -> Refusal | None:
    """Return the refusal if the meld at that place may not grow from `before` to `after` cards, else None."""
    size = state.rules.canasta_size
    family = family_of(place)
    if before >= size or after < size or family == BLACK_THREE:
        return None
    for name, condition in running_conditions(state, "no_canasta"):
        if family in families_of(condition.ranks):
            ranks = kind_name(family) if family <= ACE else condition.ranks[0]
            return Refusal(Code.THEME_NO_CANASTA, {"theme": name, "ranks": ranks})
    melds = state.melds[state.side]
    for name, condition in running_conditions(state, "canasta_first"):
        families = families_of(condition.ranks)
        if family in families:
            continue
        if not any(is_canasta_of(state.rules, meld, families, condition.canasta) for meld in melds):
            return Refusal(Code.THEME_CANASTA_FIRST, {"theme": name, "ranks": " ".join(condition.ranks), "size": size})
    return None


def rank_groups_for_opening(state: State) -> tuple[frozenset[Family], ...]:
    """Return sets of ranks; the side's initial meld must include a rank from each of them."""
    found = [families_of(ranks_for(one, state.turn)) for _, one in running_conditions(state, "open_with")]
    return tuple(dict.fromkeys(found))


def why_themes_forbid_opening(state: State, melds: Iterable[TableMeld]) -> Refusal | None:
    """Return the refusal if the initial meld lacks a rank that a theme demands, else None."""
    lying = {family_of(meld.place) for meld in melds}
    for name, condition in running_conditions(state, "open_with"):
        ranks = ranks_for(condition, state.turn)
        if not lying & families_of(ranks):
            return Refusal(Code.THEME_OPENING_NEEDS, {"theme": name, "ranks": " ".join(ranks)})
    return None


# --- the pile, discards, going out ------------------------------------------------------------------------------------


def why_themes_forbid_taking(state: State) -> Refusal | None:
    """Return the refusal if a theme forbids the seat in turn to pick up the pile, else None."""
    for name, condition in running_conditions(state, "no_pile"):
        return Refusal(Code.THEME_NO_PILE, _end_detail(name, condition))
    return None


def banned_discards(state: State) -> frozenset[Kind]:
    """Return the kinds that themes forbid the seat in turn to discard.

    The ban does not apply to a hand that holds nothing else; callers see to that.
    """
    banned = [kinds_of(ranks_for(condition, state.turn)) for _, condition in running_conditions(state, "no_discard")]
    if state.froze and any(running_conditions(state, "freeze_once")):
        banned.append(_WILDS)
    return frozenset().union(*banned)


def banned_discard_refusal(state: State, kind: Kind) -> Refusal:
    """Return the refusal of a discard of a kind that a theme bans."""
    others = sum(card >> 2 != kind for card in state.hands[state.turn])
    for name, condition in running_conditions(state, "no_discard"):
        if kind in kinds_of(ranks_for(condition, state.turn)):
            return Refusal(Code.THEME_NO_DISCARD, {"theme": name, "kind": kind_name(kind), "others": others})
    name = next(running_conditions(state, "freeze_once"))[0]
    return Refusal(Code.THEME_FROZEN_ONCE, {"theme": name, "kind": kind_name(kind), "others": others})


def ban_on_going_out(state: State) -> ThemeCondition | None:
    """Return the condition that forbids the seat in turn to go out now, and its theme; else None."""
    return next(running_conditions(state, "no_out"), None)


def why_themes_forbid_out(state: State, melds: Iterable[TableMeld]) -> Refusal | None:
    """Return the refusal if themes forbid a side with these melds to go out, else None."""
    forbidden = ban_on_going_out(state)
    if forbidden is not None:
        return Refusal(Code.THEME_NO_OUT, _end_detail(*forbidden))
    laid = tuple(melds)
    for name, condition in running_conditions(state, "out_with"):
        families = families_of(condition.ranks)
        held = sum(is_canasta_of(state.rules, meld, families, condition.canasta) for meld in laid)
        if held < max(1, condition.number):
            detail: Detail = {"ranks": " ".join(condition.ranks), "held": held, "required": max(1, condition.number)}
            return Refusal(Code.THEME_OUT_NEEDS, {"theme": name, "canasta": condition.canasta, **detail})
    return None


def _end_detail(name: str, condition: Condition) -> Detail:
    """Return the detail of a refusal that says when a condition ends."""
    return {"theme": name, "until": condition.until, "number": condition.number}


def winning_side(state: State) -> int | None:
    """Return the side with a canasta that wins the game at once, or None."""
    return next((side for side, melds in enumerate(state.melds) if has_winning_canasta(state, melds)), None)


def has_winning_canasta(state: State, melds: Iterable[TableMeld]) -> bool:
    """Return whether one of these melds is a canasta that wins the game at once."""
    named = conditions_of_deal(state.rules, state.deal).get("wins_with", _NONE)
    wanted = [(families_of(condition.ranks), condition.canasta) for _, condition in named]
    return any(is_canasta_of(state.rules, meld, families, kind) for meld in melds for families, kind in wanted)


def winning_families(state: State) -> frozenset[Family]:
    """Return the families whose canastas win the game at once."""
    named = conditions_of_deal(state.rules, state.deal).get("wins_with", _NONE)
    return frozenset().union(*[families_of(condition.ranks) for _, condition in named])
