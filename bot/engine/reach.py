"""What a hand can still reach: going out, and the points of an initial meld.

A turn is a sequence of small steps, so a step is legal only when some line of play after it ends the turn lawfully
(`rules/classic.md 1.23`). Both questions are answered exactly. Wild cards are what makes them a puzzle: each meld
takes only so many, a pair needs one, and a canasta may need several.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul

from bot.engine import laying_down
from bot.engine.cards import ACE, BLACK_THREE, JOKER, NATURAL_KINDS, TWO, Kind
from bot.engine.counts import ANY, KINDS_OF, RANKS, WILD_SHIFT, Counts, Lanes, black_threes, pack_step, tally
from bot.engine.melds import TableMeld
from bot.engine.rules import RuleSet
from bot.engine.shapes import BLACK_THREE_MELDS
from bot.engine.spread import Spread
from bot.engine.values import value


def can_finish(rules: RuleSet, counts: Counts, spread: Spread, *, spare: int = 1, points: int = 0) -> bool:
    """Whether the hand can be laid down but for at most `spare` (0 or 1) cards, with the canastas going out needs.

    `points` is what the cards laid must count at least, for a side that has still to make its initial meld.
    """
    if rules.plain:
        return can_finish_plainly(rules, counts, spread, spare=spare, points=points)
    return laying_down.can_finish(rules, counts, spread, spare=spare, points=points)


def can_finish_plainly(rules: RuleSet, counts: Counts, spread: Spread, *, spare: int = 1, points: int = 0) -> bool:
    """The same for plain rule sets (`RuleSet.plain`), as are all functions below.

    Leaving a card helps where it cannot be laid, or where wild cards are too many; never where they are too few.
    """
    some = (counts + ANY) & RANKS
    alone = some & ~(counts + spread.wild)  # the ranks that cannot be laid: too few, and no meld to add them to
    if alone & (alone - 1):  # more than one: what most hands answer, so it is asked first
        return False
    short = some & ~(counts + spread.plain)  # these, and the ranks that need wild cards to make a meld
    if short and short.bit_count() > spare + (counts >> WILD_SHIFT & 127) + (counts >> WILD_SHIFT + 8):
        return False
    blacks = black_threes(counts)
    if alone or blacks not in BLACK_THREE_MELDS:
        blacks -= not alone
        if not spare or blacks not in BLACK_THREE_MELDS:
            return False
        spare = 0
        counts -= 1 << 8 * (KINDS_OF[alone][0] if alone else BLACK_THREE)
        if (counts + ANY) & alone:
            return False
    held = tally(counts)
    wilds = held[TWO] + held[JOKER]
    worth = _worth(rules, held) if points else 0
    begun = (counts + ANY) & ~spread.melded & RANKS
    room = spread.room + rules.max_wilds * begun.bit_count()
    if wilds > room:
        if wilds > room + spare:
            return False
        wilds = room
        if points:
            worth -= rules.card_values[TWO if held[TWO] else JOKER]
    if worth < points:
        return False
    for kind in KINDS_OF[begun & ~(counts + spread.plain)]:
        wilds -= rules.meld_min - held[kind]
    if wilds < 0:
        return False
    lacking = rules.out_canastas - spread.canastas
    return lacking <= 0 or _canastas_can_be_made(rules, held, spread, begun, wilds=wilds, lacking=lacking)


def can_finish_with(rules: RuleSet, counts: Counts, spread: Spread, last: Kind, *, points: int) -> bool:
    """Whether the whole hand can be laid, and then one more card, which comes from the pile, be laid or discarded.

    `points` is what the cards of the hand must count at least: the card from the pile comes too late for that.
    """
    if can_finish_plainly(rules, counts, spread, spare=0, points=points):
        return True
    if last == BLACK_THREE or _worth(rules, tally(counts)) < points:
        return False
    kinds = (last,) if last in NATURAL_KINDS else NATURAL_KINDS
    return any(_finishes_on(rules, counts, spread, kind, last) for kind in kinds)


def _finishes_on(rules: RuleSet, counts: Counts, spread: Spread, kind: Kind, last: Kind) -> bool:
    """Whether the hand can be laid with the last card on the meld of a rank, which must be one before it comes."""
    held = tally(counts)
    meld = spread.by_place.get(kind)
    naturals = wilds = twos = 0
    if meld is not None:
        naturals, wilds = meld.naturals, meld.wilds
    elif held[kind] >= rules.min_naturals:
        naturals = held[kind]
        wilds = min(held[TWO] + held[JOKER], max(0, rules.meld_min - naturals))
        twos = min(wilds, held[TWO])
        counts -= pack_step(kind, naturals, twos, wilds - twos)
    if naturals + wilds < rules.meld_min:
        return False
    if last == kind:
        naturals += 1
    else:
        wilds += 1
    if wilds > rules.max_wilds:
        return False
    grown = TableMeld(kind, naturals, wilds, (0,) * (naturals + wilds))
    return can_finish_plainly(rules, counts, spread.joined(rules, grown), spare=0)


def _worth(rules: RuleSet, held: Sequence[int]) -> int:
    return sum(map(mul, held, rules.card_values))


def _canastas_can_be_made(
    rules: RuleSet, held: Sequence[int], spread: Spread, begun: Lanes, *, wilds: int, lacking: int
) -> bool:
    """Whether that many further canastas lie there when all naturals held are laid.

    `begun` are the ranks that make new melds; `wilds` are the wild cards beyond those that these need anyway.
    """
    needs: list[int] = []
    size = rules.canasta_size
    for kind, meld in spread.by_place.items():
        missing = size - len(meld.cards)
        if missing > 0 and kind <= ACE:
            missing -= held[kind]
            if missing <= rules.max_wilds - meld.wilds or missing <= 0:
                needs.append(missing)
    for kind in KINDS_OF[begun]:
        missing = size - held[kind]
        if missing <= rules.max_wilds:
            needs.append(missing - max(0, rules.meld_min - held[kind]))
    if len(needs) < lacking:
        return False
    needs.sort()
    return sum([need for need in needs[:lacking] if need > 0]) <= wilds


@value
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


def dearest_opening(rules: RuleSet, counts: Counts, spread: Spread) -> Opening:
    """The most points the hand can add to the side's melds in this turn, however few cards it keeps.

    Taking all naturals of every rank that makes a meld, the dearest pairs as far as wild cards reach, and then
    every wild card that finds room is the dearest plan: a wild card in a pair costs nothing and opens room for more.
    """
    values = rules.card_values
    held = tally(counts)
    jokers = held[JOKER]
    wilds = held[TWO] + jokers
    complete = (counts + spread.plain) & RANKS
    points = cards = 0
    for kind in KINDS_OF[complete]:
        points += held[kind] * values[kind]
        cards += held[kind]
    if not wilds:
        return Opening(points, cards, 0, (), False)
    room = spread.room + rules.max_wilds * (complete & ~spread.melded).bit_count()
    pairs = KINDS_OF[(counts + spread.wild) & ~complete & ~spread.melded & RANKS]
    if pairs:
        pairs = tuple(sorted(pairs, key=values.__getitem__, reverse=True))
        for kind in pairs[:wilds]:
            points += held[kind] * values[kind]
            cards += held[kind]
            room += rules.max_wilds
    laid = min(wilds, room)
    jokers = min(jokers, laid)
    points += jokers * values[JOKER] + (laid - jokers) * values[TWO]
    return Opening(points, cards + laid, wilds, pairs, wilds > room)


def can_reach(rules: RuleSet, counts: Counts, spread: Spread, points: int, *, keep: int) -> bool:
    """Whether melds from the hand can add that many points while at least `keep` cards stay in it."""
    plan = dearest_opening(rules, counts, spread)
    if plan.points < points:
        return False
    held = sum(tally(counts))
    if held - plan.cards >= keep:
        return True
    return _most_points(rules, tally(counts), spread, held - keep) >= points


def _most_points(rules: RuleSet, held: Sequence[int], spread: Spread, most_cards: int) -> int:
    """The most points that at most so many cards can lay; -1 when even laying nothing takes too many."""
    if most_cards < 0:
        return -1
    values = rules.card_values
    wilds = held[TWO] + held[JOKER]
    best = {(0, 0): 0}  # (naturals laid, wild cards laid) → points of the naturals
    for kind in NATURAL_KINDS:
        meld = spread.by_place.get(kind)
        if meld is None and held[kind] < rules.min_naturals:
            continue
        grown = dict(best)
        for (laid, used), points in best.items():
            for naturals, added in _ways(rules, held[kind], meld):
                total = (laid + naturals, used + added)
                if total[1] <= wilds and sum(total) <= most_cards:
                    worth = points + naturals * values[kind]
                    grown[total] = max(grown.get(total, 0), worth)
        best = grown
    dearest_first = [values[JOKER]] * held[JOKER] + [values[TWO]] * held[TWO]
    return max(points + sum(dearest_first[:used]) for (_, used), points in best.items())


def _ways(rules: RuleSet, count: int, meld: TableMeld | None) -> list[tuple[int, int]]:
    """Every (naturals, wild cards) that can be laid of a rank."""
    if meld is not None:
        room = max(0, rules.max_wilds - meld.wilds)
        return [(naturals, wilds) for naturals in range(count + 1) for wilds in range(room + 1)]
    return [
        (naturals, wilds)
        for naturals in range(rules.min_naturals, count + 1)
        for wilds in range(max(0, rules.meld_min - naturals), rules.max_wilds + 1)
    ]
