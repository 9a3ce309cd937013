"""An oracle of the legal moves of a turn, written from `docs/law/classic.md` and not from the engine.

It never asks the engine, and knows only kinds of cards, one letter each: ``4`` … ``A``, ``3`` a black three, ``2``,
``0`` a joker, ``R`` a red three. It lists every way to lay cards of the hand (a layout), judges the end of the turn
that each would be (1.15, 1.23), and calls a step legal if some layout that contains it ends legally. That is brute
force: only for small positions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TypeAlias

NATURALS = "456789TJQKA"
BLACK_THREE = "3"
RED_THREE = "R"
VALUES = {**dict.fromkeys("4567", 5), **dict.fromkeys("89TJQK", 10), "A": 20, "3": 5, "2": 20, "0": 50}

Part: TypeAlias = tuple[int, int, int]
"""Naturals, twos and jokers laid of one rank."""

Layout: TypeAlias = Mapping[str, Part]
"""The cards laid of each rank; black threes have their own letter."""

Step: TypeAlias = tuple[str | int | bool, ...]
"""``("draw",)``, ``("take", naturals, twos, jokers)``, ``("meld", rank, naturals, twos, jokers)``,
``("reclaim", rank)``, ``("discard", rank)``, ``("ask",)``, ``("answer", yes)``, ``("pass",)``."""


@dataclass(frozen=True)
class Laws:
    """The parameters of a rule set that the oracle knows (`docs/law/variants.md A.1`)."""

    canastas_to_go_out: int = 1
    least_cards: int = 3
    least_naturals: int = 2
    most_wilds: int = 3
    wild_ratio: str = "none"
    wild_on_canasta: str = "to_max"
    meld_max: int | None = None
    frozen_unopened: bool = True
    ways_to_take: frozenset[str] = frozenset({"pair", "card+wild", "add"})
    add_to_canasta: bool = True
    pair_to_canasta: bool = True
    one_card_guard: bool = True
    open_pile: str = "yes"
    count_top: bool = True
    waivers: frozenset[str] = frozenset({"concealed"})
    drawn: int = 1
    drawn_with_pile: int = 0
    last_discard: str = "optional"
    announces: bool = False
    asks: str = "optional"
    pays_for_asking: bool = False
    melds_on: bool = False
    reclaims: bool = False
    force: str = "if_top_fits_existing_meld_and_unfrozen"


CLASSIC = Laws()

LAST = {"optional": (0, 1), "mandatory": (1,), "forbidden": (0,)}
"""Allowed numbers of cards left for the last discard when going out, by the rule on it."""


@dataclass(frozen=True)
class Position:
    """Everything that the seat in turn needs to know for a legal move.

    `pile` goes from bottom to top. `melds` are naturals and wild cards. `laid` are the points that a side which has not
    opened has laid in this turn; `touched` says that it has laid anything. `aside` says that the pile's top is melded
    and the rest, `pile`, waits for the initial meld.
    """

    phase: str
    hand: Mapping[str, int]
    melds: Mapping[str, tuple[int, int]]
    opened: bool
    minimum: int
    pile: str
    frozen: bool
    stock: int
    laws: Laws
    partner: bool
    permission: bool | None = None
    lapsed: bool = False
    drew: str | None = None
    laid: int = 0
    touched: bool = False
    aside: bool = False
    claimed: str | None = None
    exposed: str = ""
    wild_cards: Mapping[str, str] = field(default_factory=dict)
    """The wild cards of each meld that lay there when the step is chosen, by its rank."""

    @property
    def cards_held(self) -> int:
        return sum(self.hand.values())


def legal_steps(position: Position) -> set[Step]:
    """Return every step that begins or continues a legal turn."""
    if position.phase == "answer":
        return {("answer", True), ("answer", False)}
    steps = _draw_steps(position) if position.phase == "draw" else _play_steps(position)
    if _may_ask_or_announce(position, takes=any(step[0] == "take" for step in steps)):
        steps.add(("announce",) if position.laws.announces else ("ask",))
    return steps


# --- layouts ---------------------------------------------------------------------------------------------------------


def is_meld(naturals: int, wilds: int, laws: Laws = CLASSIC) -> bool:
    """Return whether these numbers of natural and wild cards are a legal meld (1.10).

    The classic limits are at least three cards, two of them natural, and at most three wild cards.
    """
    if naturals < laws.least_naturals or not laws.least_cards <= naturals + wilds <= (laws.meld_max or 99):
        return False
    if laws.wild_on_canasta == "free" and any(
        naturals + first >= 7 and is_meld(naturals, first, replace(laws, wild_on_canasta="to_max"))
        for first in range(wilds)
    ):
        return True  # after a canasta is finished, any cards may follow (source S0, III.2)
    enough = {"none": True, "nat>=w": naturals >= wilds, "nat>w": naturals > wilds, "nat>=2w": naturals >= 2 * wilds}
    return wilds <= laws.most_wilds and enough[laws.wild_ratio]


def may_join_meld(meld: tuple[int, int], naturals: int, wilds: int, laws: Laws) -> bool:
    """Return whether these numbers of natural and wild cards may be added to that meld.

    Where a finished canasta takes no wild cards, they are added before the naturals. Melds that partners of cut-throat
    have merged may hold more wild cards than one meld may, and take no other (2.2).
    """
    if laws.wild_on_canasta == "to_max" and meld[1] > laws.most_wilds and not wilds:
        return True
    if not is_meld(meld[0] + naturals, meld[1] + wilds, laws):
        return False
    if laws.reclaims and wilds and meld[0] >= 7:
        return False  # the card could be reclaimed at once (`docs/law/classic.md H43`)
    return laws.wild_on_canasta != "never" or not wilds or sum(meld) + wilds <= 7


def all_layouts(position: Position) -> Iterator[Layout]:
    """Yield every way to lay cards of the hand as melds and additions, including none."""
    yield from _layouts_of_ranks(position, NATURALS, position.hand.get("2", 0), position.hand.get("0", 0))


def _layouts_of_ranks(position: Position, ranks: str, twos: int, jokers: int) -> Iterator[Layout]:
    hand, melds = position.hand, position.melds
    if not ranks:
        yield {}
        for count in (3, 4):
            if hand.get(BLACK_THREE, 0) >= count:
                yield {BLACK_THREE: (count, 0, 0)}
        return
    rank, others = ranks[0], ranks[1:]
    for part in joinable_parts(hand.get(rank, 0), twos, jokers, melds.get(rank, (0, 0)), position.laws):
        for rest in _layouts_of_ranks(position, others, twos - part[1], jokers - part[2]):
            yield {rank: part, **rest} if any(part) else rest


def joinable_parts(naturals: int, twos: int, jokers: int, meld: tuple[int, int], laws: Laws) -> Iterator[Part]:
    """Yield every part of the given cards that may be added to that meld, including none."""
    yield (0, 0, 0)
    if meld == (0, 0) and naturals < laws.least_naturals:
        return
    for one in range(naturals + 1):
        for two in range(twos + 1):
            for joker in range(jokers + 1):
                if one + two + joker and may_join_meld(meld, one, two + joker, laws):
                    yield (one, two, joker)


def layout_points(layout: Layout) -> int:
    """Return the points of the cards in a layout."""
    return sum(
        one * VALUES[rank] + two * VALUES["2"] + joker * VALUES["0"] for rank, (one, two, joker) in layout.items()
    )


def layout_size(layout: Layout) -> int:
    """Return the number of cards in a layout."""
    return sum(map(sum, layout.values()))


def with_layout(position: Position, layout: Layout) -> Position:
    """Return the position after laying these cards.

    Whether that opens the side is decided later.
    """
    hand = Counter(position.hand)
    melds = dict(position.melds)
    for rank, (one, two, joker) in layout.items():
        hand[rank] -= one
        hand["2"] -= two
        hand["0"] -= joker
        naturals, wilds = melds.get(rank, (0, 0))
        melds[rank] = (naturals + one, wilds + two + joker)
    laid = position.laid + (0 if position.opened else layout_points(layout))
    return replace(position, hand=hand, melds=melds, laid=laid, touched=position.touched or bool(layout))


def gather_pile(position: Position) -> Position:
    """Return the position after the initial meld has claimed the pile.

    The rest of the pile comes to the hand, without red threes. A card drawn from the stock in addition is unknown:
    ``?``, which can only be discarded.
    """
    hand = Counter(position.hand)
    hand.update(card for card in position.pile if card != RED_THREE)
    hand["?"] += min(position.laws.drawn_with_pile, position.stock)
    return replace(position, hand=hand, pile="", aside=False, opened=True)


# --- endings ---------------------------------------------------------------------------------------------------------


def can_end_or_go_out_after(position: Position, layout: Layout) -> tuple[bool, bool]:
    """Return whether the turn can end legally after exactly that layout, and whether by going out.

    While the rest of the pile has not come to the hand, going out is unknown; the second value is then False.
    """
    after = with_layout(position, layout)
    laws = position.laws
    enough = after.opened or after.laid >= after.minimum or _is_first_canasta_with_top(after)
    if after.aside:
        whole = gather_pile(after)
        # Black threes come last: then the hand must be empty but for a discard (1.8, 40).
        closing = BLACK_THREE not in layout or whole.cards_held <= 1
        return enough and closing and can_end_turn(whole), False
    out = (
        after.cards_held in LAST[laws.last_discard]
        and count_canastas(after) >= laws.canastas_to_go_out
        and _effective_permission(after) is not False
        # Going out concealed needs no minimum (1.11).
        and (enough or (after.drew == "stock" and "concealed" in laws.waivers))
    )
    stays = after.cards_held >= 2 and BLACK_THREE not in after.melds and (enough or not after.touched)
    return out or stays, out


def can_end_turn(position: Position) -> bool:
    """Return whether the turn can end legally after some layout, perhaps an empty one."""
    return any(can_end_or_go_out_after(position, layout)[0] for layout in all_layouts(position))


def _effective_permission(position: Position) -> bool | None:
    """Return the partner's answer, or whether the player has announced going out.

    If the rules require one, a missing answer counts as no.
    """
    needed = position.laws.announces or (position.laws.asks == "mandatory" and position.partner)
    return False if needed and position.permission is None else position.permission


def _is_first_canasta_with_top(position: Position) -> bool:
    """Return whether the pile's top card completes the side's first canasta (S0 1.4.f.b).

    Under that waiver no minimum holds then.
    """
    waived = "first_canasta_top" in position.laws.waivers and position.claimed is not None
    return waived and sum(position.melds.get(position.claimed or "", (0, 0))) >= 7


def count_canastas(position: Position) -> int:
    """Return the number of the side's melds with seven or more cards."""
    return sum(1 for meld in position.melds.values() if sum(meld) >= 7)


# --- steps -----------------------------------------------------------------------------------------------------------


def _play_steps(position: Position) -> set[Step]:
    judged = [(layout, *can_end_or_go_out_after(position, layout)) for layout in all_layouts(position)]
    # After a yes the seat must go out (1.18).
    must_go_out = position.permission is True and any(out for _, _, out in judged)
    accepted = [layout for layout, lawful, out in judged if (out if must_go_out else lawful)]
    steps: set[Step] = set()
    for layout in accepted:
        steps |= _first_steps_of_layout(position, layout)
    nothing_lawful, nothing_out = can_end_or_go_out_after(position, {})
    melds_first = position.lapsed and position.laws.melds_on and bool(steps)  # S0 1.4.l.i
    if not melds_first and (nothing_out if position.cards_held == 1 or must_go_out else nothing_lawful):
        held = {rank for rank, count in position.hand.items() if count}
        # Penalty cards must be discarded first (1.22).
        steps |= {("discard", rank) for rank in held.intersection(position.exposed) or held}
    return steps | {step for step, after in _reclaim_steps(position) if not must_go_out or _can_end_by_going_out(after)}


def _can_end_by_going_out(position: Position) -> bool:
    return any(can_end_or_go_out_after(position, layout)[1] for layout in all_layouts(position))


def _reclaim_steps(position: Position) -> Iterator[tuple[Step, Position]]:
    """Yield the steps that take wild cards back from a canasta, each with the resulting position.

    That is allowed if naturals alone complete the canasta, and not with the last card of the hand. Reclaiming does not
    help to end a turn, which must be possible without it (`docs/law/classic.md H43`).
    """
    if not position.laws.reclaims or not position.opened or position.cards_held < 2:
        return
    for rank, (naturals, wilds) in position.melds.items():
        if naturals >= 7 and wilds:
            hand = Counter(position.hand) + Counter(position.wild_cards[rank])
            yield ("reclaim", rank), replace(position, hand=hand, melds={**position.melds, rank: (naturals, 0)})


def _first_steps_of_layout(position: Position, layout: Layout) -> set[Step]:
    """Return the steps with which a turn of that layout may begin; black threes come last (1.8, 40)."""
    steps: set[Step] = set()
    waiting = len(position.pile.replace(RED_THREE, "")) if position.aside else 0
    if position.aside:
        waiting += min(position.laws.drawn_with_pile, position.stock)
    for rank, (one, two, joker) in layout.items():
        if rank == BLACK_THREE:
            if position.cards_held + waiting - one <= 1:
                steps.add(("meld", rank, one, 0, 0))
            continue
        meld = position.melds.get(rank, (0, 0))
        for part in joinable_parts(one, two, joker, meld, position.laws):
            grown = (meld[0] + part[0], meld[1] + part[1] + part[2])
            rest = (one - part[0], two + joker - part[1] - part[2])
            if any(part) and (not any(rest) or may_join_meld(grown, *rest, position.laws)):
                steps.add(("meld", rank, *part))
    return steps


SHAPES_TO_TAKE: tuple[Part, ...] = ((2, 0, 0), (1, 1, 0), (1, 0, 1), (0, 0, 0))


def _draw_steps(position: Position) -> set[Step]:
    steps = {("take", *shape) for shape in SHAPES_TO_TAKE if _may_take_pile(position, shape)}
    found: set[Step] = set(steps)
    if position.stock:
        found.add(("draw",))
    # When the stock is out, a top card that fits an own meld must be taken (1.19).
    elif not steps & _FORCING[position.laws.force]:
        found.add(("pass",))
    return found


_FORCING: dict[str, set[Step]] = {
    "never": set(),
    "if_top_fits_existing_meld_and_unfrozen": {("take", 0, 0, 0)},
    "whenever_able": {("take", 2, 0, 0), ("take", 1, 1, 0), ("take", 1, 0, 1), ("take", 0, 0, 0)},
}


def _may_take_pile(position: Position, shape: Part) -> bool:
    """Return whether the pile may be taken with these cards (1.12), and the turn can end legally then."""
    if not position.pile or position.pile[-1] not in NATURALS:
        return False
    laws = position.laws
    if laws.one_card_guard and position.cards_held == 1 and len(position.pile) == 1:
        return False
    if laws.open_pile == "no" and not position.opened:
        return False
    top = position.pile[-1]
    one, two, joker = shape
    hand = position.hand
    if hand.get(top, 0) < one or hand.get("2", 0) < two or hand.get("0", 0) < joker:
        return False
    frozen = position.frozen or (laws.frozen_unopened and not position.opened)
    way = "pair" if one == 2 else "card+wild" if one else "add"
    if way not in laws.ways_to_take and not (frozen and one == 2):
        return False
    if one < 2 and frozen:
        return False
    meld = position.melds.get(top, (0, 0))
    if way == "add" and not laws.add_to_canasta and sum(meld) >= 7:
        return False
    if way != "add" and not laws.pair_to_canasta and sum(meld) >= 7:  # S0 1.4.g.b, read literally
        return False
    if not may_join_meld(meld, one + 1, two + joker, laws):
        return False
    return can_end_turn(_take_pile(position, shape))


def _take_pile(position: Position, shape: Part) -> Position:
    """Return the position after taking the pile with these cards."""
    top = position.pile[-1]
    after = with_layout(replace(position, phase="play", drew="pile", frozen=False), {top: shape})
    naturals, wilds = after.melds[top]
    after = replace(
        after,
        melds={**after.melds, top: (naturals + 1, wilds)},
        laid=after.laid + (VALUES[top] if position.laws.count_top and not position.opened else 0),
        claimed=top,
        pile=position.pile[:-1],
        touched=True,
        aside=True,
    )
    opens = position.opened or after.laid >= after.minimum or _is_first_canasta_with_top(after)
    return gather_pile(after) if opens else after


# --- speaking --------------------------------------------------------------------------------------------------------


def _may_ask_or_announce(position: Position, *, takes: bool) -> bool:
    """Return whether the player may ask the partner, or announce going out (1.15, 1.18).

    `takes` says that the pile can be taken. If asking is required, a player who could go out may ask until the last
    card is laid, and before the draw the pile counts. If it is optional, it comes before any meld, and the cards must
    be there only after the draw. Before that, or if the table penalises asking in vain, only the canastas matter (S0
    1.4.l.e, l.i).
    """
    laws = position.laws
    asks = position.partner and laws.asks != "none" and not laws.announces
    if not (asks or laws.announces) or position.permission is not None or position.lapsed:
        return False
    said = replace(position, permission=True)
    if laws.announces or laws.asks == "mandatory":
        if position.phase == "play":
            return _can_go_out(said)
        after = [_take_pile(said, shape) for shape in SHAPES_TO_TAKE if _may_take_pile(said, shape)]
        drawn = [replace(said, phase="play", drew="stock")] if position.stock else []
        if laws.last_discard == "mandatory" and laws.drawn == 1:  # the drawn card can serve as the last discard
            drawn += [replace(one, laws=replace(laws, last_discard="optional")) for one in drawn]
        return any(_can_go_out(one) for one in (*drawn, *after))
    if position.touched:
        return False
    if position.phase == "draw" or laws.pays_for_asking:
        return _may_have_canastas(position, takes=takes)
    return _can_go_out(said)


def _can_go_out(position: Position) -> bool:
    """Return whether some layout goes out, perhaps with the rest of the pile that it gets."""
    if not position.aside:
        return _can_end_by_going_out(position)
    for layout in all_layouts(position):
        after = with_layout(position, layout)
        if after.laid >= after.minimum or _is_first_canasta_with_top(after):
            whole = gather_pile(after)
            if (BLACK_THREE not in layout or whole.cards_held <= 1) and _can_end_by_going_out(whole):
                return True
    return False


def _may_have_canastas(position: Position, *, takes: bool) -> bool:
    """Return whether the side has the canastas to go out, or could still make the missing ones.

    Each is of another rank. The missing cards of a rank may be wild cards, as many as its meld still takes, or cards
    that may come: any card from the stock, or the pile that can be taken.
    """
    laws = position.laws
    hands = [(Counter(position.hand), 0)]
    if position.phase == "draw":
        hands = [(Counter(position.hand), min(laws.drawn, position.stock))] if position.stock else []
        if takes:
            hands.append((Counter(position.hand) + Counter(position.pile), min(laws.drawn_with_pile, position.stock)))
    number = laws.canastas_to_go_out - count_canastas(position)
    return number <= 0 or any(_can_make_canastas(position, number, hand, more) for hand, more in hands)


def _can_make_canastas(position: Position, number: int, hand: Counter[str], more: int) -> bool:
    wilds = hand["2"] + hand["0"]
    lacks: list[int] = []
    for rank in NATURALS:
        naturals, lying = position.melds.get(rank, (0, 0))
        lack = 7 - naturals - lying - hand[rank]
        if naturals + lying < 7 and lack <= min(wilds, max(0, position.laws.most_wilds - lying)) + more:
            lacks.append(max(0, lack))
    return any(sum(some) <= wilds + more for some in combinations(lacks, number))
