"""Refusals of sets: melds of one rank with wild cards, of wild cards alone, and of twos as a rank.

The place decides which cards make or join a meld (`bot.engine.cards.meld_places`). `bot.engine.melds.meld_shapes` has
the rules shared by all games; this file has those of some games.

Decides `docs/law/classic.md 1.8, 1.10` and `docs/law/variants.md 3.2, 3.6, 3.10`. Reads `black3_meld`, `canasta_size`,
`meld_kinds`, `meld_min`, `no_wild_ranks`, `open_wild_ranks`, `wild_gate`, `wild_lock`.
"""

from __future__ import annotations

from bot.engine.cards.cards import ACE, BLACK_THREE, JOKER, RANK_LETTERS, TWO
from bot.engine.cards.meld_places import DEUCE_MELD, WILD_MELD, Family, Place, family_of
from bot.engine.melds.meld_shapes import sizes_of_black_three_melds, why_not_join_meld
from bot.engine.moves.refusals import Code, Refusal, kind_name
from bot.engine.reach.opening_goals import why_meld_cannot_open
from bot.engine.reach.turn_outlook import Standing
from bot.engine.rules.rule_set import RuleSet


def naturals_and_wilds(place: Place, naturals: int, twos: int, jokers: int) -> tuple[int, int]:
    """Return how many of these cards are naturals at that place, and how many are wild cards."""
    return (twos, jokers) if family_of(place) == DEUCE_MELD else (naturals, twos + jokers)


def why_not_join(standing: Standing, place: Place, naturals: int, twos: int, jokers: int) -> Refusal | None:
    """Return the refusal if the cards may not go to that place, as a new meld or an addition, else None."""
    family = family_of(place)
    rules = standing.rules
    lying = standing.melds.get(place)
    refusal = why_family_not_allowed(rules, place)
    if refusal is None and lying is None and not standing.may_begin_meld(family):
        refusal = Refusal(Code.MELD_NO_SECOND, {"kind": kind_name(family)})
    if refusal is None and lying is None and place != standing.new_place(family):
        refusal = Refusal(Code.MELD_WRONG_TARGET, {"number": -1})
    if refusal is not None:
        return refusal
    if family == BLACK_THREE:
        return _why_not_meld_black_threes(rules, naturals, twos + jokers, lies=lying is not None)
    if standing.closed and (refusal := _why_wilds_closed(standing, twos, jokers)) is not None:
        return refusal
    if family == WILD_MELD:
        refusal = why_meld_cannot_open(rules, family, 0, twos + jokers) if standing.opening else None
        return refusal or _why_not_wild_meld(rules, 0 if lying is None else lying.size, twos + jokers)
    if family in standing.closed:
        return Refusal(Code.RANK_CLOSED, {"kind": kind_name(family)})
    natural, wild = naturals_and_wilds(place, naturals, twos, jokers)
    before = (0, 0) if lying is None else (lying.naturals, lying.wilds)
    refusal = why_not_join_meld(rules, before, natural, wild)
    if refusal is None and standing.opening:
        refusal = why_meld_cannot_open(rules, family, before[0] + natural, before[1] + wild)
    if refusal is None and wild:
        refusal = why_not_add_wilds(rules, family, before[0] + natural, opening=standing.opening)
        refusal = refusal or _why_wilds_locked(standing, place, twos, jokers)
    return refusal


def _why_wilds_closed(standing: Standing, twos: int, jokers: int) -> Refusal | None:
    for kind, count in ((TWO, twos), (JOKER, jokers)):
        if count and kind in standing.closed:
            return Refusal(Code.RANK_CLOSED, {"kind": kind_name(kind)})
    return None


def why_family_not_allowed(rules: RuleSet, place: Place) -> Refusal | None:
    """Return the refusal if these rules have no melds of that family, else None."""
    family = family_of(place)
    if family <= ACE:
        return None if "set" in rules.meld_kinds else Refusal(Code.MELD_NO_RANK)
    if family == BLACK_THREE:
        return Refusal(Code.BLACK_THREES_NEVER) if rules.black3_meld == "never" else None
    kind = {DEUCE_MELD: "deuce", WILD_MELD: "wild"}.get(family)
    return None if kind in rules.meld_kinds else Refusal(Code.MELD_NO_RANK)


def why_not_add_wilds(rules: RuleSet, family: Family, naturals: int, *, opening: bool) -> Refusal | None:
    """Return the refusal if a meld with `naturals` naturals may not get a wild card now, else None.

    With `no_wild_ranks` those ranks never may; with `open_wild_ranks` those ranks may only in the initial meld; with
    `wild_gate` any other rank, after the initial meld, needs that many naturals. Source: `docs/law/variants.md 3.10`.
    """
    letter = RANK_LETTERS[family]
    if letter in rules.no_wild_ranks or (letter in rules.open_wild_ranks and not opening):
        return Refusal(Code.RANK_TAKES_NO_WILDS, {"kind": letter})
    if not opening and family <= ACE and naturals < rules.wild_gate:
        return Refusal(Code.WILD_TOO_EARLY, {"naturals": naturals, "required": rules.wild_gate})
    return None


def _why_wilds_locked(standing: Standing, place: Place, twos: int, jokers: int) -> Refusal | None:
    if family_of(place) in (WILD_MELD, DEUCE_MELD):
        return None
    locked = standing.locked_wild_kinds()
    if (twos and TWO in locked) or (jokers and JOKER in locked):
        only_twos = standing.rules.wild_lock == "twos"
        return Refusal(Code.WILDS_LOCKED, {"required": standing.rules.canasta_size, "twos": int(only_twos)})
    return None


def _why_not_meld_black_threes(rules: RuleSet, naturals: int, wilds: int, *, lies: bool) -> Refusal | None:
    if wilds or lies or naturals not in sizes_of_black_three_melds(rules)[1:]:
        return Refusal(Code.BLACK_THREES_COUNT, {"count": naturals, "wilds": wilds, "lie": int(lies)})
    return None


def _why_not_wild_meld(rules: RuleSet, lie: int, cards: int) -> Refusal | None:
    """Return the refusal if a wild meld may not have this size, else None; a wild canasta cannot grow."""
    size = lie + cards
    if size < rules.meld_min:
        return Refusal(Code.MELD_TOO_SMALL, {"count": size, "required": rules.meld_min})
    if size > rules.canasta_size:
        return Refusal(Code.MELD_TOO_LARGE, {"count": size, "allowed": rules.canasta_size})
    return None
