"""Plan whole turns: to go out, or to make the initial meld.

Plans are not kept: before each step the player plans again from a fresh view and takes the first step.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from bot.computer.heuristics.situation import MeldSize
from bot.engine.cards.cards import BLACK_THREE, JOKER, NATURAL_KINDS, RED_THREE, TWO, Kind
from bot.engine.melds.meld_shapes import number_of_unmeldable_black_threes
from bot.engine.moves.actions import Meld, meld_step
from bot.engine.rules.rule_set import RuleSet

Melds = Mapping[Kind, MeldSize]

NOTHING = MeldSize(0, 0)


class _PlannedMeld(NamedTuple):
    """A meld of a plan: the naturals to lay, and the meld's size after that.

    It also has the number of wild cards that it needs, and the most that it takes (`room`).
    """

    kind: Kind
    naturals: int
    size: int
    need: int
    room: int


def _planned_meld(rules: RuleSet, kind: Kind, naturals: int, lying: MeldSize | None) -> _PlannedMeld | None:
    """Return the meld of a plan that lays these naturals of a rank; None if they are too few for one.

    `lying` is the side's meld of the rank on the table, if it has one.
    """
    if lying is not None:
        return _PlannedMeld(kind, naturals, lying.size + naturals, 0, rules.max_wilds - lying.wilds)
    if naturals < rules.min_naturals:
        return None
    return _PlannedMeld(kind, naturals, naturals, max(0, rules.meld_min - naturals), rules.max_wilds)


# --- going out -------------------------------------------------------------------------------------------------------


def going_out_plan(
    rules: RuleSet, counts: Sequence[int], melds: Melds, *, canastas_missing: int
) -> tuple[Meld, ...] | None:
    """Return the best steps that lay all cards but one to discard, canastas first; None if impossible."""
    best: tuple[int, tuple[Meld, ...]] | None = None
    spares: list[Kind | None] = [] if rules.out_discard == "mandatory" else [None]
    if rules.out_discard != "forbidden":
        spares += [kind for kind, count in enumerate(counts) if count]
    for spare in spares:
        left = list(counts)
        cost = 0
        if spare is not None:
            left[spare] -= 1
            cost = rules.card_values[spare]
        found = _plan_whole_hand(rules, left, melds, canastas_missing)
        if found is not None and (best is None or found[0] - cost > best[0]):
            best = (found[0] - cost, found[1])
    return best[1] if best is not None else None


def _plan_whole_hand(
    rules: RuleSet, counts: Sequence[int], melds: Melds, canastas_missing: int
) -> tuple[int, tuple[Meld, ...]] | None:
    """Return the bonuses and the steps of laying all these cards; None if that is impossible.

    The steps must complete `canastas_missing` more canastas.
    """
    if number_of_unmeldable_black_threes(rules, counts[BLACK_THREE]) or counts[RED_THREE]:
        return None
    entries: list[_PlannedMeld] = []
    for kind in NATURAL_KINDS:
        lying = melds.get(kind)
        if counts[kind] or lying is not None:
            entry = _planned_meld(rules, kind, counts[kind], lying)
            if entry is None:
                return None
            entries.append(entry)
    wilds = counts[TWO] + counts[JOKER] - sum(entry.need for entry in entries)
    if not 0 <= wilds <= sum(entry.room - entry.need for entry in entries):
        return None
    given = _assign_wilds(rules, entries, melds, wilds)
    complete, bonus = _canastas_and_bonuses_gained(rules, entries, melds, given)
    if complete < canastas_missing:
        return None
    ordered = sorted(entries, key=lambda entry: entry.size + given[entry.kind] < rules.canasta_size)
    steps = _laying_steps([(entry.kind, entry.naturals, given[entry.kind]) for entry in ordered], counts[TWO])
    if counts[BLACK_THREE]:
        steps = (*steps, meld_step(BLACK_THREE, counts[BLACK_THREE]))
    return bonus, steps


def _canastas_and_bonuses_gained(
    rules: RuleSet, entries: Sequence[_PlannedMeld], melds: Melds, given: Mapping[Kind, int]
) -> tuple[int, int]:
    """Return the number of canastas that the planned melds complete, and the change in bonuses.

    `given` is the number of wild cards for each of them, by rank.
    """
    complete = bonus = 0
    for entry in entries:
        before = melds.get(entry.kind, NOTHING)
        if before.size < rules.canasta_size <= entry.size + given[entry.kind]:
            complete += 1
            bonus += rules.bonus_mixed if before.wilds + given[entry.kind] else rules.bonus_natural
        elif before.size >= rules.canasta_size and not before.wilds and given[entry.kind]:
            bonus -= rules.bonus_natural - rules.bonus_mixed
    return complete, bonus


def _assign_wilds(rules: RuleSet, entries: Sequence[_PlannedMeld], melds: Melds, wilds: int) -> dict[Kind, int]:
    """Return the number of wild cards that each planned meld gets, by its rank.

    Melds get what they need first, then the canastas that lack fewest cards; the rest goes where it does least harm.
    """
    given = {entry.kind: entry.need for entry in entries}
    lacking = sorted(
        (rules.canasta_size - entry.size - entry.need, entry.kind)
        for entry in entries
        if 0 < rules.canasta_size - entry.size - entry.need <= entry.room - entry.need
    )
    for extra, kind in lacking:
        if extra <= wilds:
            given[kind] += extra
            wilds -= extra

    def spoils_natural_canasta(entry: _PlannedMeld) -> bool:
        """Return whether a wild card would turn the entry's natural canasta into a mixed one."""
        return entry.size >= rules.canasta_size and not given[entry.kind] and not melds.get(entry.kind, NOTHING).wilds

    for entry in sorted(entries, key=spoils_natural_canasta):
        more = min(wilds, entry.room - given[entry.kind])
        given[entry.kind] += more
        wilds -= more
    return given


def _laying_steps(shares: Sequence[tuple[Kind, int, int]], twos: int) -> tuple[Meld, ...]:
    """Return the steps that lay these naturals and wild cards by rank, twos before jokers."""
    steps = []
    for kind, naturals, wilds in shares:
        if not naturals + wilds:
            continue
        two = min(wilds, twos)
        twos -= two
        steps.append(meld_step(kind, naturals, two, wilds - two))
    return tuple(steps)


# --- the initial meld ------------------------------------------------------------------------------------------------


class Opening(NamedTuple):
    """An initial meld: its cost in judgement points, and its steps."""

    cost: int
    steps: tuple[Meld, ...]


COST_OF_TWO = 25
COST_OF_JOKER = 50
COST_OF_PAIR = 10
COST_OF_NATURAL = 2


def cheapest_opening(rules: RuleSet, counts: Sequence[int], melds: Melds, *, missing: int, keep: int) -> Opening | None:
    """Return the cheapest initial meld that counts `missing` points; None if there is none.

    It leaves `keep` cards in the hand. Whole sets are laid, with as few wild cards as possible.
    """
    entries = [
        entry
        for kind in NATURAL_KINDS
        if (counts[kind] or kind in melds) and (entry := _planned_meld(rules, kind, counts[kind], melds.get(kind)))
    ]
    spare = sum(counts) - keep
    best: Opening | None = None
    for size in range(1, len(entries) + 1):
        for chosen in combinations(entries, size):
            found = _opening_with_wilds(rules, counts, chosen, missing, spare)
            if found is not None and (best is None or found.cost < best.cost):
                best = found
    return best


def _opening_with_wilds(
    rules: RuleSet, counts: Sequence[int], chosen: Sequence[_PlannedMeld], missing: int, spare: int
) -> Opening | None:
    """Return the cheapest wild cards that make the chosen entries an initial meld; None if impossible."""
    need = sum(entry.need for entry in chosen)
    room = sum(entry.room for entry in chosen)
    naturals = sum(entry.naturals for entry in chosen)
    points = sum(entry.naturals * rules.card_values[entry.kind] for entry in chosen)
    base = naturals * COST_OF_NATURAL + sum(COST_OF_PAIR for entry in chosen if entry.need)
    best: Opening | None = None
    for twos, jokers in _numbers_of_wilds(counts[TWO], counts[JOKER]):
        enough = points + twos * rules.card_values[TWO] + jokers * rules.card_values[JOKER] >= missing
        if not enough or not need <= twos + jokers <= room or naturals + twos + jokers > spare:
            continue
        cost = base + twos * COST_OF_TWO + jokers * COST_OF_JOKER
        if best is None or cost < best.cost:
            best = Opening(cost, _laying_steps(_share_wilds(chosen, twos + jokers), twos))
    return best


def _numbers_of_wilds(twos: int, jokers: int) -> Iterator[tuple[int, int]]:
    """Yield all pairs of a number of twos and one of jokers, up to these two numbers."""
    return ((two, joker) for joker in range(jokers + 1) for two in range(twos + 1))


def _share_wilds(chosen: Sequence[_PlannedMeld], wilds: int) -> list[tuple[Kind, int, int]]:
    """Assign wild cards to melds: first those needed, then to melds that have some, then to the largest."""
    given = {entry.kind: entry.need for entry in chosen}
    wilds -= sum(given.values())
    for entry in sorted(chosen, key=lambda entry: (-entry.need, -entry.size)):
        more = min(wilds, entry.room - given[entry.kind])
        given[entry.kind] += more
        wilds -= more
    return [(entry.kind, entry.naturals, given[entry.kind]) for entry in chosen]
