"""An oracle of what is lawful at a turn, written from `rules/classic.md` and not from the engine, which it never asks.

It knows kinds only, one letter each: ``4`` … ``A``, ``3`` a black three, ``2``, ``0`` a joker, ``R`` a red three. It
lists every way to lay cards of the hand (a layout), judges the end of the turn that each would be (1.15, 1.23), and
calls a step lawful when some layout that contains it ends lawfully. That is brute force: only for small positions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

NATURALS = "456789TJQKA"
BLACK_THREE = "3"
RED_THREE = "R"
VALUES = {**dict.fromkeys("4567", 5), **dict.fromkeys("89TJQK", 10), "A": 20, "3": 5, "2": 20, "0": 50}

Part: TypeAlias = tuple[int, int, int]
"""Naturals, twos and jokers laid of one rank."""

Layout: TypeAlias = Mapping[str, Part]
"""What is laid of each rank; black threes under their letter."""

Step: TypeAlias = tuple[str | int | bool, ...]
"""``("draw",)``, ``("take", naturals, twos, jokers)``, ``("meld", rank, naturals, twos, jokers)``,
``("discard", rank)``, ``("ask",)``, ``("answer", yes)``, ``("pass",)``."""


@dataclass(frozen=True)
class Position:
    """What the seat in turn needs to know. `pile` is written from bottom to top; `melds` are naturals and wild cards.

    `laid` are the points a side that has not opened has laid in this turn, `touched` tells that anything was laid
    in it; `aside` that the pile's top is melded and the rest, `pile`, waits for the initial meld.
    """

    phase: str
    hand: Mapping[str, int]
    melds: Mapping[str, tuple[int, int]]
    opened: bool
    minimum: int
    pile: str
    frozen: bool
    stock: int
    canastas_to_go_out: int
    partner: bool
    permission: bool | None = None
    drew: str | None = None
    laid: int = 0
    touched: bool = False
    aside: bool = False

    @property
    def held(self) -> int:
        return sum(self.hand.values())


def legal(position: Position) -> set[Step]:
    """Every step that begins or continues a lawful turn."""
    if position.phase == "answer":
        return {("answer", True), ("answer", False)}
    steps = _draw_steps(position) if position.phase == "draw" else _play_steps(position)
    if _may_ask(position):
        steps.add(("ask",))
    return steps


# --- layouts ---------------------------------------------------------------------------------------------------------


def is_meld(naturals: int, wilds: int) -> bool:
    """At least three cards, two of them natural, and at most three wild (1.10)."""
    return naturals + wilds >= 3 and naturals >= 2 and wilds <= 3


def layouts(hand: Mapping[str, int], melds: Mapping[str, tuple[int, int]]) -> Iterator[Layout]:
    """Every way to lay cards of the hand as melds and additions, nothing at all among them."""
    yield from _layouts(hand, melds, NATURALS, hand.get("2", 0), hand.get("0", 0))


def _layouts(
    hand: Mapping[str, int], melds: Mapping[str, tuple[int, int]], ranks: str, twos: int, jokers: int
) -> Iterator[Layout]:
    if not ranks:
        yield {}
        for count in (3, 4):
            if hand.get(BLACK_THREE, 0) >= count:
                yield {BLACK_THREE: (count, 0, 0)}
        return
    rank, others = ranks[0], ranks[1:]
    for part in parts(hand.get(rank, 0), twos, jokers, melds.get(rank, (0, 0))):
        for rest in _layouts(hand, melds, others, twos - part[1], jokers - part[2]):
            yield {rank: part, **rest} if any(part) else rest


def parts(naturals: int, twos: int, jokers: int, meld: tuple[int, int]) -> Iterator[Part]:
    """Every part of so many cards that may join that meld, nothing at all among them."""
    yield (0, 0, 0)
    if meld == (0, 0) and naturals < 2:
        return
    for one in range(naturals + 1):
        for two in range(twos + 1):
            for joker in range(jokers + 1):
                if one + two + joker and is_meld(meld[0] + one, meld[1] + two + joker):
                    yield (one, two, joker)


def points(layout: Layout) -> int:
    """What the cards count."""
    return sum(
        one * VALUES[rank] + two * VALUES["2"] + joker * VALUES["0"] for rank, (one, two, joker) in layout.items()
    )


def size(layout: Layout) -> int:
    """How many cards there are."""
    return sum(map(sum, layout.values()))


def with_layout(position: Position, layout: Layout) -> Position:
    """The position with these cards laid; nobody has looked yet whether that opens the side."""
    hand = Counter(position.hand)
    melds = dict(position.melds)
    for rank, (one, two, joker) in layout.items():
        hand[rank] -= one
        hand["2"] -= two
        hand["0"] -= joker
        naturals, wilds = melds.get(rank, (0, 0))
        melds[rank] = (naturals + one, wilds + two + joker)
    laid = position.laid + (0 if position.opened else points(layout))
    return replace(position, hand=hand, melds=melds, laid=laid, touched=position.touched or bool(layout))


def gathered(position: Position) -> Position:
    """The side has opened with the pile's top: the rest of it comes to the hand, red threes to the table."""
    hand = Counter(position.hand)
    hand.update(card for card in position.pile if card != RED_THREE)
    return replace(position, hand=hand, pile="", aside=False, opened=True)


# --- endings ---------------------------------------------------------------------------------------------------------


def ending(position: Position, layout: Layout) -> tuple[bool, bool]:
    """Whether the turn can end lawfully with that laid and no more, and whether it can end by going out.

    With the pile still to come to the hand nobody can say yet whether the seat can go out; then the second is False.
    """
    after = with_layout(position, layout)
    enough = after.opened or after.laid >= after.minimum
    if after.aside:
        whole = gathered(after)
        closing = BLACK_THREE not in layout or whole.held <= 1  # black threes are the last that is laid (1.8, 40)
        return enough and closing and can_end(whole), False
    out = (
        after.held <= 1
        and canastas(after) >= after.canastas_to_go_out
        and after.permission is not False
        and (enough or after.drew == "stock")  # going out concealed after a stock draw needs no minimum (1.11)
    )
    stays = after.held >= 2 and BLACK_THREE not in after.melds and (enough or not after.touched)
    return out or stays, out


def can_end(position: Position) -> bool:
    """Whether some layout, nothing at all among them, ends the turn lawfully."""
    return any(ending(position, layout)[0] for layout in layouts(position.hand, position.melds))


def canastas(position: Position) -> int:
    """How many melds of seven or more the side has."""
    return sum(1 for meld in position.melds.values() if sum(meld) >= 7)


# --- steps -----------------------------------------------------------------------------------------------------------


def _play_steps(position: Position) -> set[Step]:
    judged = [(layout, *ending(position, layout)) for layout in layouts(position.hand, position.melds)]
    must_go_out = position.permission is True and any(out for _, _, out in judged)  # a yes obliges (1.18)
    accepted = [layout for layout, lawful, out in judged if (out if must_go_out else lawful)]
    steps: set[Step] = set()
    for layout in accepted:
        steps |= _first_steps(position, layout)
    nothing_lawful, nothing_out = ending(position, {})
    if nothing_out if position.held == 1 or must_go_out else nothing_lawful:
        steps |= {("discard", rank) for rank, count in position.hand.items() if count}
    return steps


def _first_steps(position: Position, layout: Layout) -> set[Step]:
    """The steps that may begin that layout; black threes end it (1.8, 40)."""
    steps: set[Step] = set()
    waiting = len(position.pile.replace(RED_THREE, "")) if position.aside else 0
    for rank, (one, two, joker) in layout.items():
        if rank == BLACK_THREE:
            if position.held + waiting - one <= 1:
                steps.add(("meld", rank, one, 0, 0))
            continue
        for part in parts(one, two, joker, position.melds.get(rank, (0, 0))):
            if any(part):
                steps.add(("meld", rank, *part))
    return steps


def _draw_steps(position: Position) -> set[Step]:
    steps = {("take", *shape) for shape in ((2, 0, 0), (1, 1, 0), (1, 0, 1), (0, 0, 0)) if _may_take(position, shape)}
    found: set[Step] = set(steps)
    if position.stock:
        found.add(("draw",))
    elif ("take", 0, 0, 0) not in steps:  # what fits an own meld must be taken when the stock is out (1.19)
        found.add(("pass",))
    return found


def _may_take(position: Position, shape: Part) -> bool:
    """The decision table of 1.12, and a lawful end after it."""
    if not position.pile or position.pile[-1] not in NATURALS:
        return False
    if position.held == 1 and len(position.pile) == 1:
        return False
    top = position.pile[-1]
    one, two, joker = shape
    hand = position.hand
    if hand.get(top, 0) < one or hand.get("2", 0) < two or hand.get("0", 0) < joker:
        return False
    if one < 2 and (position.frozen or not position.opened):
        return False
    naturals, wilds = position.melds.get(top, (0, 0))
    if not is_meld(naturals + one + 1, wilds + two + joker):
        return False
    return can_end(_taken(position, shape))


def _taken(position: Position, shape: Part) -> Position:
    top = position.pile[-1]
    after = with_layout(replace(position, phase="play", drew="pile", frozen=False), {top: shape})
    naturals, wilds = after.melds[top]
    after = replace(
        after,
        melds={**after.melds, top: (naturals + 1, wilds)},
        laid=after.laid + (0 if position.opened else VALUES[top]),
        pile=position.pile[:-1],
        touched=True,
        aside=True,
    )
    return gathered(after) if position.opened or after.laid >= after.minimum else after


def _may_ask(position: Position) -> bool:
    """Of a partner, once, before anything is laid in the turn (1.18); the bot lets ask only who could go out."""
    if not position.partner or position.permission is not None or position.touched:
        return False
    for layout in layouts(position.hand, position.melds):
        after = with_layout(position, layout)
        if after.held <= 1 and canastas(after) >= after.canastas_to_go_out:
            return True
    return False
