"""Single steps that stay legal while a side wins the game at once; no referee case can express them."""

from __future__ import annotations

from bot.engine.cards.cards import FOUR, SEVEN
from bot.engine.moves.actions import meld_step
from bot.engine.play.legal_steps import legal_actions
from bot.engine.positions.position_reading import read_position


def test_a_canasta_with_the_top_card_may_open_before_the_canasta_that_wins() -> None:
    """The sevens may also come first, since the fours can open later (`docs/law/classic.md 1.11`, S0)."""
    position = {
        "turn": 0,
        "phase": "play",
        "drew": "pile",
        "aside": True,
        "claimed": "4c",
        "begun": [0, 1],
        "hands": {"0": "4s 4h 4d 4d 7c", "1": "4c", "2": "5c", "3": "6c"},
        "stock": "7d 6h 5d 9c",
        "pile": "",
        "melds": {"0": ["4c 4s 4h", "7s 7h 7d 7c 7s 7h"]},
        "opened": {"0": False},
    }
    told = {"rules": "singkep", "themes": ["lucky-sevens"], "scores": [3000, 0], "options": {"out_canastas": 3}}
    legal = legal_actions(read_position({**told, "position": position}))
    assert {meld_step(SEVEN, 1), meld_step(FOUR, 1), meld_step(FOUR, 4)} <= set(legal)
