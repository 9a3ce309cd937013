"""Bounds of an initial meld after a step, where nothing but sets and wild cards lies: more than these it never is."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.actions import Meld
from bot.engine.cards import JOKER, NATURAL_KINDS, TWO, Kind
from bot.engine.places import WILD_MELD
from bot.engine.variants.openings import CLEAN
from bot.engine.variants.standing import Standing
from bot.engine.variants.ways import takes_wilds


def most_after(standing: Standing, step: Meld, left: Sequence[int]) -> int:
    """No more points than these can be laid after the step: every wild card, of pairs one with each of them at most."""
    rules = standing.rules
    values = rules.card_values
    families = standing.spread.families
    least = max(rules.meld_min, rules.min_naturals)
    wilds = left[TWO] + left[JOKER]
    helping = 0 if _ties_wilds(standing, step, wilds) else wilds
    most = left[TWO] * values[TWO] + left[JOKER] * values[JOKER]
    pairs: list[int] = []
    for kind in NATURAL_KINDS:
        count = left[kind]
        if not count or kind in standing.closed:
            continue
        if count >= least or kind in families or kind == step.kind:
            most += count * values[kind]
        elif count >= rules.min_naturals and helping and takes_wilds(rules, kind, count, opening=True):
            pairs.append(count * values[kind])
    return most + sum(sorted(pairs, reverse=True)[:helping])


def _ties_wilds(standing: Standing, step: Meld, wilds: int) -> bool:
    """Whether an unfinished meld of wild cards keeps all of them from other melds for the rest of the turn."""
    if standing.rules.wild_lock != "all":
        return False
    size = standing.rules.canasta_size
    lying = sum([len(meld.cards) for meld in standing.of_family(WILD_MELD) if len(meld.cards) < size])
    if step.kind == WILD_MELD:
        lying += step.size
    return 0 < lying < size and lying + wilds < size


def may_be_clean(standing: Standing, step: Meld, left: Sequence[int]) -> bool:
    """Whether a meld of three naturals or more of a rank and no wild card could lie there after the step."""
    return any(_rank_may_be_clean(standing, step, kind, left[kind]) for kind in NATURAL_KINDS)


def _rank_may_be_clean(standing: Standing, step: Meld, kind: Kind, count: int) -> bool:
    lying = standing.of_family(kind)
    if standing.rules.same_rank_melds != "one":
        return count >= CLEAN or kind == step.kind or bool(lying)
    if lying and lying[0].wilds:
        return False
    naturals = count + (lying[0].naturals if lying else 0)
    if kind != step.kind:
        return naturals >= CLEAN
    return not (step.twos + step.jokers) and naturals + step.naturals >= CLEAN
