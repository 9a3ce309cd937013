"""Dealing: the hands, pile and stock that result from a shuffled pack.

Decides `docs/law/classic.md 1.4, 1.6, 1.7, 1.13` and `docs/law/variants.md 3.1, 3.6, 3.11`. Reads `foot_size`,
`hand_size`, `pile_frozen`, `pile_hidden`, `pile_hidden_by_rank`, `red3_timing`, `upcard`, `upcard_cover`,
`upcard_freezes`, `upcard_specials`.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field

from bot.engine.cards.cards import ACE, BLACK_THREE, FOUR, Card
from bot.engine.rules.parameter_declarations import CardClass
from bot.engine.rules.rule_set import RuleSet, card_class, number_in_deal
from bot.engine.rules.seating import Seating
from bot.engine.table import bonus_threes


@dataclass(slots=True)
class DealtPack:
    """A deal before its first turn.

    Hands and feet are indexed by seat, laid out threes by score. The end of the stock is its top. The lowest `hidden`
    cards of the pile lie face down. `turned` are the cards turned up for the pile, in order. `replaced` has, for each
    seat that laid out threes, the seat, these threes, and the cards that came from the stock, in order.
    """

    hands: list[list[Card]]
    feet: tuple[tuple[Card, ...], ...]
    stock: list[Card]
    pile: tuple[Card, ...]
    hidden: int
    frozen: bool
    threes: list[list[Card]]
    turned: list[Card] = field(default_factory=list)
    replaced: list[tuple[int, tuple[Card, ...], tuple[Card, ...]]] = field(default_factory=list)


def deal_pack(rules: RuleSet, seating: Seating, dealer: int, pack: Sequence[Card], *, number: int) -> DealtPack:
    """Return the pack as dealt: hands, feet, the pile with its upcard, and bonus threes laid out.

    Cards are dealt one at a time from the dealer's left. `number` is that of the deal in the game, since the size of
    hands may differ from deal to deal. If the upcard decides how many cards lie under it, the threes are laid out
    before it is turned (`docs/law/variants.md 3.6`).
    """
    order = seating.seats_after(dealer)
    in_hands = len(order) * number_in_deal(rules.hand_size, number)
    dealt = in_hands + len(order) * rules.foot_size
    hands: list[list[Card]] = [[] for _ in range(rules.players)]
    for place, seat in enumerate(order):
        hands[seat] = list(pack[place : in_hands : len(order)])
    table = DealtPack(
        hands=hands,
        feet=_deal_feet(rules, order, pack[in_hands:dealt]),
        stock=list(reversed(pack[dealt:])),
        pile=(),
        hidden=0,
        frozen=False,
        threes=[[] for _ in range(rules.sides)],
    )
    if rules.pile_hidden_by_rank:
        _lay_out_threes(rules, order, table)
        _start_pile(rules, table)
    else:
        _start_pile(rules, table)
        _lay_out_threes(rules, order, table)
    return table


def _lay_out_threes(rules: RuleSet, order: Sequence[int], table: DealtPack) -> None:
    """Lay out the bonus threes of every hand and replace them from the stock, until no hand holds one."""
    if rules.red3_timing != "immediate":
        return
    for seat in order:
        if not bonus_threes.has_bonus_three(rules, table.hands[seat]):
            continue
        hand = table.hands[seat]
        kept, laid = bonus_threes.replace_threes(rules, hand, table.stock)
        end = len(table.stock) - (len(kept) + len(laid) - len(hand))
        table.replaced.append((seat, laid, tuple(reversed(table.stock[end:]))))
        del table.stock[end:]
        table.hands[seat] = list(kept)
        table.threes[rules.side_of(seat)] += laid


def _start_pile(rules: RuleSet, table: DealtPack) -> None:
    """Start the pile of `table`: its cards, whether it is frozen, and its number of face-down cards.

    A card that may not be the upcard is covered by the next one. All of these stay in the pile, or only the first wild
    card and the first red three, or none. The others go back into the middle of the stock, so that nobody draws them
    soon (`docs/law/classic.md 1.6`).
    """
    table.frozen = rules.pile_frozen == "always"
    if not rules.upcard:
        return
    stock = table.stock
    pile: list[Card] = []
    back: list[Card] = []
    seen: set[str] = set()
    while True:
        card = stock.pop()
        table.turned.append(card)
        turned = card_class(card >> 2)
        (back if _does_upcard_return_to_stock(rules, turned, seen) else pile).append(card)
        if turned not in rules.upcard_cover or not stock:
            break
        seen.add(str(turned))
    stock[len(stock) // 2 : len(stock) // 2] = back
    under = min(len(stock), number_under_upcard(rules, pile[-1]))
    hidden = [stock.pop() for _ in range(under)]
    table.pile = (*hidden, *pile)
    table.hidden = under
    table.frozen = table.frozen or any(card_class(card >> 2) in rules.upcard_freezes for card in pile)


def _does_upcard_return_to_stock(rules: RuleSet, upcard: CardClass | None, earlier: Container[str]) -> bool:
    """Return whether a card turned up for the pile goes back into the stock.

    `earlier` are the classes of the cards turned up before it.
    """
    if rules.upcard_specials == "reinsert_all":
        return upcard in rules.upcard_cover
    return rules.upcard_specials == "keep_first_reinsert_rest" and upcard in earlier and upcard != "B3"


def number_under_upcard(rules: RuleSet, upcard: Card) -> int:
    """Return the number of cards face down under that upcard (`docs/law/variants.md 3.1, 3.6`)."""
    if not rules.pile_hidden_by_rank:
        return rules.pile_hidden
    kind = upcard >> 2
    if kind >= BLACK_THREE:
        return 0
    return 1 if kind == ACE else kind - FOUR + 4


def _deal_feet(rules: RuleSet, order: Sequence[int], cards: Sequence[Card]) -> tuple[tuple[Card, ...], ...]:
    """Return the feet by seat, dealt one card at a time from the first seat of `order`; empty if none."""
    if not rules.foot_size:
        return ()
    feet: list[tuple[Card, ...]] = [()] * rules.players
    for place, seat in enumerate(order):
        feet[seat] = tuple(sorted(cards[place : len(order) * rules.foot_size : len(order)]))
    return tuple(feet)
