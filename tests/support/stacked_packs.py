"""Packs in a wanted order: the cards dealt to each seat, and the top cards of the stock."""

from __future__ import annotations

from bot.engine.cards.cards import TWO, Card, full_pack
from bot.engine.cards.notation import parse_cards
from bot.engine.moves.actions import StartDeal
from bot.engine.rules.rule_set import RuleSet, number_in_deal
from bot.engine.table.state import State, new_game
from tests.support.random_play import apply_action


def stack_pack(rules: RuleSet, hands: dict[int, str], next_cards: str, *, dealer: int) -> tuple[Card, ...]:
    """Return a pack that deals these hands, each filled up with naturals.

    The first card of `next_cards` is turned up, and the others are drawn next.
    """
    rest = list(full_pack(rules.decks, rules.jokers_per_deck))
    named = {seat: parse_cards(text) for seat, text in hands.items()}
    turned = parse_cards(next_cards)
    for card in (*(card for hand in named.values() for card in hand), *turned):
        rest.remove(card)
    naturals = [card for card in rest if card >> 2 < TWO - 1]
    others = [card for card in rest if card >> 2 >= TWO - 1]
    dealt = []
    size = number_in_deal(rules.hand_size, 1)
    for place in range(rules.players):
        seat = (dealer + 1 + place) % rules.players
        hand = list(named.get(seat, ()))
        while len(hand) < size:
            hand.append(naturals.pop(0))
        dealt.append(hand)
    one_by_one = [hand[number] for number in range(size) for hand in dealt]
    return (*one_by_one, *turned, *naturals, *others)


def deal_hands(
    rules: RuleSet, hands: dict[int, str] | None = None, next_cards: str = "4s", *, dealer: int = 3, score: int = 0
) -> State:
    """Return the state of a game after dealing the pack that `stack_pack` builds."""
    game = new_game(rules, dealer=dealer, scores=(score,) * rules.sides)
    return apply_action(game, None, StartDeal(stack_pack(rules, hands or {}, next_cards, dealer=dealer)))
