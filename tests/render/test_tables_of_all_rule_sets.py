"""Tables of every rule set can be drawn and described, in positions of random deals."""

from collections import Counter
from itertools import combinations, islice
from random import Random

import pytest

from bot.engine.play.building_views import public_view, seat_view
from bot.engine.rules.sets import RULE_SETS, rule_set
from bot.engine.table.state import State
from render import descriptions
from render.drawing.fonts import FontRuler
from render.layout_items import MeldTile, Text
from render.layouts import layout_of
from render.layouts.side_panel import to_shown_meld
from render.picture_inputs import BoardPicture, HandPicture
from tests.render import samples
from tests.render.test_description_completeness import HEADINGS, missing_words
from tests.render.test_layout_properties import hand_faces, plate_under
from tests.support.random_play import deal_with_minimum, steps_of_a_deal
from tests.support.seeds import SEARCHING

RULER = FontRuler()
FORMS = [(name, players) for name, forms in sorted(RULE_SETS.items()) for players in forms]
EVERY = 40
MOST = 6


def sample_positions(name: str, players: int) -> list[State]:
    """Return some positions of a random deal, counted back from its end."""
    played = [
        played.before
        for played in steps_of_a_deal(deal_with_minimum(rule_set(name, players), players), Random(players))
    ]
    return list(islice(reversed(played), 0, EVERY * MOST, EVERY))


@pytest.mark.parametrize(("name", "players"), FORMS)
def test_every_forms_tables_and_hands_can_be_drawn_and_described(name: str, players: int) -> None:
    """Each position shows the hand of another seat; a search shows all hands."""
    for number, state in enumerate(sample_positions(name, players)):
        view = public_view(state)
        board = BoardPicture(view=view, names=samples.NAMES, headline="North to play", rules_name=name)
        layout = layout_of(board, RULER)
        texts = [item for item in layout.items if isinstance(item, Text) and item.text]
        assert all(layout.box.contains(item.box) for item in layout.items)
        assert not [pair for pair in combinations(texts, 2) if pair[0].box.overlaps(pair[1].box, slack=1.5)]
        for text in texts:
            plate = plate_under(layout, text)
            assert plate is None or (
                plate.box.left <= text.box.left + 0.01 and text.box.right <= plate.box.right + 0.01
            )
        melds = [to_shown_meld(meld) for side in view.sides for meld in side.melds]
        assert len(melds) == sum(isinstance(item, MeldTile) for item in layout.items)
        message = descriptions.full_description(board)
        assert all(descriptions.describe_meld(meld, board.words) in message for meld in melds)
        assert [] == [word for word in missing_words(board) if word not in HEADINGS]
        for seat in view.playing if SEARCHING else view.playing[number % len(view.playing) :][:1]:
            hand = HandPicture(view=seat_view(state, seat), names=samples.NAMES)
            assert Counter(state.hands[seat]) == Counter(face.card for face in hand_faces(layout_of(hand, RULER)))
            message = descriptions.full_description(hand)
            assert all(descriptions.describe_meld(meld, hand.words) in message for meld in melds)
            assert [] == [word for word in missing_words(hand) if word not in HEADINGS]
