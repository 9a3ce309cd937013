"""Write the start of a deal in a record: hands, feet, upcards, replacements, pile and stock."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.engine.cards.cards import Card
from bot.engine.rules.rule_set import number_in_deal
from bot.engine.table.dealing import deal_pack
from bot.engine.table.state import State
from bot.store.game_forms import CARDS

ALWAYS = ("order", "sides", "pack", "hands", "turned", "pile", "stock")
"""The fields that every deal has; other fields are written only if they are not empty."""


def deal_start_fields(dealt: State, pack: Sequence[Card]) -> dict[str, Any]:
    """Return the fields of a record that follow from the pack, in the order of the format.

    `dealt` is the state in which the first seat begins its turn.
    """
    seats, rules = dealt.seating.seats, dealt.rules
    first = seats.index(dealt.turn)
    order = seats[first:] + seats[:first]
    table = deal_pack(rules, dealt.seating, dealt.dealer, pack, number=dealt.deal)
    in_hands = len(order) * number_in_deal(rules.hand_size, dealt.deal)
    in_feet = len(order) * rules.foot_size
    stock = table.stock[::-1]
    data: dict[str, Any] = {
        "order": list(order),
        "sides": list(dealt.seating.side_by_seat),
        "streams": bool(dealt.streams),
        "pack": CARDS.write(pack),
        "hands": _hands_dealt_singly(dealt, pack[:in_hands]),
        "feet": _hands_dealt_singly(dealt, pack[in_hands : in_hands + in_feet]) if in_feet else [],
        "turned": CARDS.write(table.turned),
        "replaced": [[seat, CARDS.write(laid), CARDS.write(drawn)] for seat, laid, drawn in table.replaced],
        "pile": CARDS.write(dealt.pile),
        "hidden": dealt.hidden,
        "frozen": dealt.frozen,
        "stock": _every_nth_card(stock, order, rules.players) if dealt.streams else CARDS.write(stock),
    }
    return {name: value for name, value in data.items() if value or name in ALWAYS}


def _hands_dealt_singly(dealt: State, cards: Sequence[Card]) -> list[str]:
    """Return the cards of each seat, dealt one at a time from the dealer's left."""
    return _every_nth_card(cards, dealt.seating.seats_after(dealt.dealer), dealt.rules.players)


def _every_nth_card(cards: Sequence[Card], order: Sequence[int], players: int) -> list[str]:
    """Return each seat's cards as text, dealt one at a time to the seats in `order`.

    The text is empty for a seat that does not play.
    """
    return [CARDS.write(cards[order.index(seat) :: len(order)] if seat in order else ()) for seat in range(players)]
