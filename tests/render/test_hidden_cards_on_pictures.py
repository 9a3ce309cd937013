"""Public pictures and descriptions do not depend on hidden cards."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine.cards.notation import cards_text
from bot.engine.play.building_views import public_view, seat_view
from bot.engine.positions.position_reading import read_position
from render.descriptions import board_text, hand_text
from render.drawing.fonts import FontRuler
from render.layouts import layout_of
from render.picture_inputs import BoardPicture, HandPicture
from tests.render import picture_strategies, samples
from tests.support.seeds import example_count

RULER = FontRuler()
SIZES = {0: 15, 1: 9, 2: 14, 3: 12}


def table_with_cards(order: list[int]) -> Mapping[str, Any]:
    """Return the sample position with these cards dealt to hands and stock in their order."""
    hands, place = {}, 0
    for seat, size in SIZES.items():
        hands[str(seat)] = cards_text(order[place : place + size])
        place += size
    stock = cards_text(order[place : place + 30])
    return {**samples.MIDDLE, "position": {**samples.MIDDLE["position"], "hands": hands, "stock": stock}}


def public_parts(case: Mapping[str, Any]) -> tuple[object, ...]:
    board = BoardPicture(view=public_view(read_position(case)), names=samples.NAMES, headline="North to play")
    return layout_of(board, RULER), board_text(board)


@settings(max_examples=example_count(20))
@given(st.permutations(picture_strategies.HELD), st.permutations(picture_strategies.HELD))
def test_the_board_does_not_depend_on_hands_and_stock(first: list[int], second: list[int]) -> None:
    assert public_parts(table_with_cards(first)) == public_parts(table_with_cards(second))


@settings(max_examples=example_count(20))
@given(st.permutations(picture_strategies.HELD), st.randoms(use_true_random=False))
def test_a_hand_does_not_depend_on_what_others_hold(order: list[int], random: Any) -> None:
    rest = order[SIZES[0] :]
    random.shuffle(rest)
    first = HandPicture(view=seat_view(read_position(table_with_cards(order)), 0), names=samples.NAMES)
    second = replace(first, view=seat_view(read_position(table_with_cards([*order[: SIZES[0]], *rest])), 0))
    assert layout_of(first, RULER) == layout_of(second, RULER)
    assert hand_text(first) == hand_text(second)
