"""A ruling never depends on bonus cards that are set aside (`docs/law/variants.md 3.10`)."""

from __future__ import annotations

from dataclasses import replace

from bot.engine.cards.notation import parse_cards
from bot.engine.positions.position_reading import read_position
from bot.tables.advice.ruling import state_without_hidden_cards


def test_a_ruling_does_not_depend_on_bonus_cards_even_for_their_player() -> None:
    state = read_position(
        {
            "rules": "modern-american",
            "position": {
                "turn": 1,
                "hands": {"0": "Ks 4s", "1": "Kh 5s", "2": "Kd 6s", "3": "Kc 7s"},
                "talons": {"0": "As Ah 2s JK"},
                "stock": "4h 5h 6h 7h 8h",
                "pile": "9c",
                "melds": {"0": ["Qs Qh Qd"]},
            },
        }
    )
    swapped = replace(
        state, talons=(parse_cards("4h 5h 6h 7h"), (), (), ()), stock=tuple(reversed(parse_cards("As Ah 2s JK 8h")))
    )
    for seat in range(4):
        seen = state_without_hidden_cards(state, seat)
        assert seen == state_without_hidden_cards(swapped, seat)
        assert (4, 5, state.hands[seat]) == (len(seen.talons[0]), len(seen.stock), seen.hands[seat])
