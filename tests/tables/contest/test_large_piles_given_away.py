"""Large piles given away: whether the player had a card whose discard would have blocked the pile."""

from __future__ import annotations

from typing import Any

from bot.engine.cards.notation import parse_cards
from bot.engine.moves.actions import Discard
from bot.engine.play.decide import decide
from bot.engine.positions.position_reading import read_position
from bot.engine.table.applying_events import fold
from bot.tables.contest.table_results import had_blocking_discard
from bot.tables.past.history import PastDeal, PastTurn


def deal_with_discard(hand: str, card: str) -> PastDeal:
    """Return a deal in which seat 0 discards that card from that hand; seat 1 holds two sevens."""
    case: dict[str, Any] = {
        "players": 4,
        "position": {
            "turn": 0,
            "phase": "play",
            "hands": {"0": hand, "1": "7h 7d 7h Ks", "2": "Ah Ah Ah", "3": "Ad Ad Ad"},
            "pile": "4h 4d 5h 5d 6h 6d 8h 8d 9h 9d",
            "stock": "4s 5s 6s 8s",
            "frozen": False,
            "melds": {"0": [], "1": ["Qh Qd Qs Qh"]},
        },
    }
    state = read_position(case)
    (kind,) = {one >> 2 for one in parse_cards(card)}
    events = decide(state, 0, Discard(kind))
    return PastDeal(1, 3, (), state, (PastTurn(0, 0, events, fold(state, events)),))


def test_a_black_three_or_a_wild_card_would_have_blocked_the_pile() -> None:
    assert had_blocking_discard(deal_with_discard("7s 3s Th Jh", "7s"), 0)
    assert had_blocking_discard(deal_with_discard("7s 2s Th Jh", "7s"), 0)


def test_without_a_black_three_or_wild_card_no_discard_blocks_the_pile() -> None:
    assert not had_blocking_discard(deal_with_discard("7s Kh Th Jh", "7s"), 0)


def test_a_turn_without_a_discard_gives_no_pile_away() -> None:
    assert not had_blocking_discard(deal_with_discard("7s 3s Th Jh", "7s"), 5)
