"""Whether a side may still complete in this turn the canastas required to go out.

Source: `docs/law/classic.md 1.18`, for a player who asks before the draw.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from tests.support.variant_melds import (
    DEUCE,
    RANKS,
    RUN,
    SET,
    SUITS,
    WILD,
    Position,
    kind_of_canasta,
    number_for_deal,
    rank_of,
)


def may_have_canastas(position: Position, *, takes: bool) -> bool:
    """Return whether the side has the canastas to go out, or could make them.

    `takes` says that the pile can be taken. Each rank, each suit if there are runs, and wild cards as a meld of their
    own may make one. The missing cards may be wild cards, as many as the rank's meld still takes, or cards that may
    come: any card from the stock, or the pile and the cards that lie face down in it, which may be any.
    """
    laws = position.laws
    counting = [meld for meld in position.canastas if kind_of_canasta(meld) not in laws.out_excludes]
    number = max(laws.out_canastas, sum(count for _, count in laws.out_need)) - len(counting)
    if number <= 0:
        return True
    hands: list[tuple[tuple[str, ...], int]] = [(position.hand, 0)]
    if position.phase == "draw":
        drawn = number_for_deal(position, laws.draw)
        hands = [(position.hand, min(drawn, position.stock))] if position.stock else []
        if takes:
            left = (
                0 if laws.pile_take is None else max(0, len(position.pile) - number_for_deal(position, laws.pile_take))
            )
            pile = position.pile[max(left, position.hidden) :]
            hidden = max(0, position.hidden - left)
            hands.append((position.hand + pile, hidden + min(laws.draw_with_pile, position.stock)))
    return any(_can_make_canastas(position, number, hand, more) for hand, more in hands)


def _can_make_canastas(position: Position, number: int, hand: tuple[str, ...], more: int) -> bool:
    """Return whether `number` canastas can be completed with `hand` and `more` unknown cards."""
    wilds = sum(rank_of(card) in "20" for card in hand)
    each = [lack for lack, most in _missing_cards(position, hand, wilds) if lack <= most + more]
    return any(sum(max(0, lack) for lack in some) <= wilds + more for some in combinations(each, number))


def _missing_cards(position: Position, hand: tuple[str, ...], wilds: int) -> Iterator[tuple[int, int]]:
    """Yield for each family how many cards it lacks for a canasta, and how many of these may be wild."""
    laws, size = position.laws, position.laws.canasta_size

    def unfinished_cards_of(kind: str, rank: str) -> list[str]:
        return [card for one in position.melds_of(kind, rank) if one.size < size for card in one.cards]

    if "set" in laws.meld_kinds:
        for rank in RANKS:
            if laws.same_rank_melds == "one" and any(one.rank == rank and one.kind == SET for one in position.canastas):
                continue
            held = sum(rank_of(card) == rank for card in hand)
            begun = [one.cards for one in position.melds_of(SET, rank) if one.size < size]
            least = min([sum(rank_of(card) in "20" for card in cards) for cards in begun], default=0)
            most = 0 if rank in laws.no_wild_ranks else max(0, laws.max_wilds - least)
            yield size - len(unfinished_cards_of(SET, rank)) - held, min(wilds, most)
    if "seq" in laws.meld_kinds:
        for suit in SUITS:
            there = {*hand, *unfinished_cards_of(RUN, suit)}
            orders = [RANKS[low : low + size] for low in range(len(RANKS) - size + 1)]
            yield min([sum(rank + suit not in there for rank in order) for order in orders], default=size), 0
    for kind, rank in ((WILD, ""), (DEUCE, "2")):
        if kind in laws.meld_kinds:
            yield size - len(unfinished_cards_of(kind, rank)), wilds
