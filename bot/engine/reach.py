"""What a hand can still reach: going out, and the points of an initial meld.

A turn is a sequence of small steps, so a step is legal only when some line of play after it ends the turn lawfully
(`rules/classic.md 1.23`). Both questions are answered exactly. Wild cards are what makes them a puzzle: each meld
takes only so many, a pair needs one, and a canasta may need several.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul

from bot.engine.cards import BLACK_THREE, JOKER, NATURAL_KINDS, TWO, Kind
from bot.engine.rules import RuleSet
from bot.engine.state import TableMeld

BLACK_THREE_MELDS = (0, 3, 4)
"""How many black threes may be laid in going out; none is a way too (`rules/classic.md 1.8`)."""


def can_finish(
    rules: RuleSet, counts: Sequence[int], melds: Sequence[TableMeld], *, spare: int = 1, points: int = 0
) -> bool:
    """Whether the hand can be laid down but for at most `spare` (0 or 1) cards, with the canastas going out needs.

    `points` is what the cards laid must count at least, for a side that has still to make its initial meld.
    """
    if not _canastas_within_reach(rules, counts, melds):
        return False
    left_over = _unlayable(rules, counts, melds, spare)
    if len(left_over) > spare:
        return False
    values = rules.card_values
    worth = sum(map(mul, counts, values)) if points else 0
    if not left_over and worth >= points and _all_can_be_laid(rules, counts, melds):
        return True
    if not spare:
        return False
    rest = list(counts)
    # Leaving a card helps where it cannot be laid, or where wild cards are too many; never where they are too few.
    for kind in left_over or (TWO, JOKER):
        if counts[kind] and (not points or worth - values[kind] >= points):
            rest[kind] -= 1
            if _all_can_be_laid(rules, rest, melds):
                return True
            rest[kind] += 1
    return False


def can_finish_with(
    rules: RuleSet, counts: Sequence[int], melds: Sequence[TableMeld], last: Kind, *, points: int
) -> bool:
    """Whether the whole hand can be laid, and then one more card, which comes from the pile, be laid or discarded.

    `points` is what the cards of the hand must count at least: the card from the pile comes too late for that.
    """
    if can_finish(rules, counts, melds, spare=0, points=points):
        return True
    if sum(map(mul, counts, rules.card_values)) < points or last == BLACK_THREE:
        return False
    kinds = (last,) if last in NATURAL_KINDS else NATURAL_KINDS
    return any(_finishes_on(rules, counts, melds, kind, last) for kind in kinds)


def _finishes_on(rules: RuleSet, counts: Sequence[int], melds: Sequence[TableMeld], kind: Kind, last: Kind) -> bool:
    """Whether the hand can be laid with the last card on the meld of a rank, which must be one before it comes."""
    rest = list(counts)
    meld = next((meld for meld in melds if meld.kind == kind), None)
    naturals = wilds = 0
    if meld is not None:
        naturals, wilds = meld.naturals, meld.wilds
    elif counts[kind] >= rules.min_naturals:
        naturals, rest[kind] = counts[kind], 0
        for wild in (TWO, JOKER):
            used = min(rest[wild], max(0, rules.meld_min - naturals - wilds))
            rest[wild] -= used
            wilds += used
    if naturals + wilds < rules.meld_min:
        return False
    if last == kind:
        naturals += 1
    else:
        wilds += 1
    grown = TableMeld(kind, naturals, wilds, (0,) * (naturals + wilds))
    return wilds <= rules.max_wilds and _all_can_be_laid(
        rules, rest, [*(other for other in melds if other is not meld), grown]
    )


def _canastas_within_reach(rules: RuleSet, counts: Sequence[int], melds: Sequence[TableMeld]) -> bool:
    """Whether enough ranks could become canastas if each had all the wild cards to itself: a quick first look."""
    wilds = counts[TWO] + counts[JOKER]
    lacking = rules.out_canastas
    own = list(counts)
    for meld in melds:
        own[meld.kind] = 0
        if len(meld.cards) + counts[meld.kind] + min(wilds, rules.max_wilds - meld.wilds) >= rules.canasta_size:
            lacking -= 1
    if lacking <= 0:
        return True
    enough = rules.canasta_size - min(wilds, rules.max_wilds)
    return sum(1 for kind in NATURAL_KINDS if own[kind] >= enough) >= lacking


def _unlayable(rules: RuleSet, counts: Sequence[int], melds: Sequence[TableMeld], spare: int) -> list[Kind]:
    """The kinds of which the hand has too few for a meld of their own, and the side has none to add to.

    The search stops when there are more of them than may be left over.
    """
    few: list[Kind] = []
    if counts[BLACK_THREE] not in BLACK_THREE_MELDS:
        few.append(BLACK_THREE)
    melded = {meld.kind for meld in melds}
    for kind in NATURAL_KINDS:
        if 0 < counts[kind] < rules.min_naturals and kind not in melded:
            few.append(kind)
            if len(few) > spare:
                break
    return few


def _all_can_be_laid(rules: RuleSet, counts: Sequence[int], melds: Sequence[TableMeld]) -> bool:
    """Whether every card can be laid in melds with enough canastas among them."""
    if counts[BLACK_THREE] not in BLACK_THREE_MELDS:
        return False
    wilds = counts[TWO] + counts[JOKER]
    needed = room = complete = 0
    dearer: list[int] = []  # wild cards each further canasta takes beyond what its meld needs anyway
    table = {meld.kind: meld for meld in melds}
    for kind in NATURAL_KINDS:
        count = counts[kind]
        meld = table.get(kind)
        if meld is None:
            if not count:
                continue
            if count < rules.min_naturals:
                return False
            size, own_room, own_need = count, rules.max_wilds, max(0, rules.meld_min - count)
        else:
            size, own_room, own_need = count + len(meld.cards), rules.max_wilds - meld.wilds, 0
        needed += own_need
        room += own_room
        missing = rules.canasta_size - size
        if missing <= own_need:
            complete += 1
        elif missing <= own_room:
            dearer.append(missing - own_need)
    if not needed <= wilds <= room:
        return False
    lacking = rules.out_canastas - complete
    if lacking <= 0:
        return True
    return len(dearer) >= lacking and needed + sum(sorted(dearer)[:lacking]) <= wilds


@dataclass(frozen=True, slots=True)
class Opening:
    """The dearest melds a hand can lay: their points, how many cards they take, and how tight wild cards are.

    `pairs` holds the ranks of which the hand has just two naturals and no meld yet, dearest first; `surplus` tells
    that there is no room for every wild card.
    """

    points: int
    cards: int
    wilds: int
    pairs: tuple[Kind, ...]
    surplus: bool


def dearest_opening(rules: RuleSet, counts: Sequence[int], melds: Sequence[TableMeld]) -> Opening:
    """The most points the hand can add to the side's melds in this turn, however few cards it keeps.

    Taking all naturals of every rank that makes a meld, the dearest pairs as far as wild cards reach, and then
    every wild card that finds room is the dearest plan: a wild card in a pair costs nothing and opens room for more.
    """
    values = rules.card_values
    wilds = counts[TWO] + counts[JOKER]
    points = cards = room = 0
    pairs: list[Kind] = []
    table = {meld.kind: meld for meld in melds}
    for kind in NATURAL_KINDS:
        count = counts[kind]
        meld = table.get(kind)
        if meld is not None:
            room += rules.max_wilds - meld.wilds
        elif count >= rules.meld_min:
            room += rules.max_wilds
        else:
            if count >= rules.min_naturals:
                pairs.append(kind)
            continue
        points += count * values[kind]
        cards += count
    pairs.sort(key=lambda kind: values[kind], reverse=True)
    for kind in pairs[:wilds]:
        points += counts[kind] * values[kind]
        cards += counts[kind]
        room += rules.max_wilds
    laid = min(wilds, room)
    jokers = min(counts[JOKER], laid)
    points += jokers * values[JOKER] + (laid - jokers) * values[TWO]
    return Opening(points, cards + laid, wilds, tuple(pairs), wilds > room)


def can_reach(rules: RuleSet, counts: Sequence[int], melds: Sequence[TableMeld], points: int, *, keep: int) -> bool:
    """Whether melds from the hand can add that many points while at least `keep` cards stay in it."""
    plan = dearest_opening(rules, counts, melds)
    if plan.points < points:
        return False
    held = sum(counts)
    if held - plan.cards >= keep:
        return True
    return _most_points(rules, counts, melds, held - keep) >= points


def _most_points(rules: RuleSet, counts: Sequence[int], melds: Sequence[TableMeld], most_cards: int) -> int:
    """The most points that at most so many cards can lay; -1 when even laying nothing takes too many."""
    if most_cards < 0:
        return -1
    values = rules.card_values
    wilds = counts[TWO] + counts[JOKER]
    table = {meld.kind: meld for meld in melds}
    best = {(0, 0): 0}  # (naturals laid, wild cards laid) → points of the naturals
    for kind in NATURAL_KINDS:
        meld = table.get(kind)
        if meld is None and counts[kind] < rules.min_naturals:
            continue
        grown = dict(best)
        for (laid, used), points in best.items():
            for naturals, added in _ways(rules, counts[kind], meld):
                total = (laid + naturals, used + added)
                if total[1] <= wilds and sum(total) <= most_cards:
                    worth = points + naturals * values[kind]
                    grown[total] = max(grown.get(total, 0), worth)
        best = grown
    dearest_first = [values[JOKER]] * counts[JOKER] + [values[TWO]] * counts[TWO]
    return max(points + sum(dearest_first[:used]) for (_, used), points in best.items())


def _ways(rules: RuleSet, count: int, meld: TableMeld | None) -> list[tuple[int, int]]:
    """Every (naturals, wild cards) that can be laid of a rank."""
    if meld is not None:
        return [(naturals, wilds) for naturals in range(count + 1) for wilds in range(rules.max_wilds - meld.wilds + 1)]
    return [
        (naturals, wilds)
        for naturals in range(rules.min_naturals, count + 1)
        for wilds in range(max(0, rules.meld_min - naturals), rules.max_wilds + 1)
    ]
