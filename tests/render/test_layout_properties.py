"""Properties of the layout of every picture."""

import subprocess
import sys
from collections import Counter
from dataclasses import replace
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine.moves.events import OtherCanastas
from render import descriptions
from render.drawing.fonts import FontRuler
from render.drawing.text_fitting import SMALLEST
from render.layout_items import (
    BEHIND,
    Area,
    CardFace,
    CrosswiseCard,
    Item,
    LargeSuit,
    Layout,
    MeldTile,
    Plate,
    Rail,
    Sign,
    Stroke,
    Symbol,
    Text,
    ThemeName,
)
from render.layouts import layout_of
from render.layouts.hand import (
    CHIP_LINE,
    HEADER,
    NARROWEST_STEP,
    ROW,
    CardRow,
    cards_in_order,
    distribute_evenly,
    distribute_groups,
)
from render.layouts.hand_strip import strip_layout
from render.layouts.side_panel import HEAD, USUAL, to_shown_meld
from render.picture_inputs import (
    BoardPicture,
    HandOrder,
    HandPicture,
    Picture,
    RatingPicture,
    ScorePicture,
    StandingsPicture,
    StandingsRow,
)
from tests.render import picture_strategies, samples
from tests.support.seeds import example_count

RULER = FontRuler()
PICTURES = picture_strategies.pictures()


def texts(layout: Layout) -> list[Text]:
    return [item for item in layout.items if isinstance(item, Text) and item.text]


def hand_faces(layout: Layout) -> list[CardFace]:
    """Return the cards of the hand."""
    return [item for item in layout.items if isinstance(item, CardFace) and item.number is not None]


def is_on_rail(layout: Layout, item: Item) -> bool:
    return any(isinstance(rail, Rail) and rail.box.contains(item.box) for rail in layout.items)


def plate_under(layout: Layout, item: Item) -> Plate | None:
    """Return the smallest plate under the middle of the item."""
    box = item.box
    under = [
        plate
        for plate in layout.items[: layout.items.index(item)]
        if isinstance(plate, Plate)
        and plate.box.left <= box.centre <= plate.box.right
        and plate.box.top <= box.middle <= plate.box.bottom
    ]
    return min(under, key=lambda plate: plate.box.width * plate.box.height, default=None)


def check_nothing_lies_outside(layout: Layout) -> None:
    for item in layout.items:
        if isinstance(item, CardFace) and item.shown:
            continue  # the card's lower part is hidden behind the rail
        assert layout.box.contains(item.box), item


def check_texts_stay_on_plates(layout: Layout) -> None:
    for item in layout.items:
        if isinstance(item, Text | Symbol) and (plate := plate_under(layout, item)):
            assert plate.box.left <= item.box.left + 0.01
            assert item.box.right <= plate.box.right + 0.01


def check_texts_do_not_overlap(layout: Layout) -> None:
    for first, second in combinations(texts(layout), 2):
        assert not first.box.overlaps(second.box, slack=1.5), (first, second)


@settings(max_examples=example_count(60))
@given(picture_strategies.ratings())
def test_no_two_texts_of_a_rating_overlap(picture: RatingPicture) -> None:
    for first, second in combinations(texts(layout_of(picture, RULER)), 2):
        assert not first.box.overlaps(second.box, slack=1.5), (first, second)


def check_texts_clear_of_melds(layout: Layout) -> None:
    small = [
        item
        for item in layout.items
        if isinstance(item, MeldTile) or (isinstance(item, CardFace) and item.box.width < 20)
    ]
    for text in texts(layout):
        assert not [item for item in small if item.box.overlaps(text.box)], text


def check_text_sizes(layout: Layout) -> None:
    assert all(text.style.size >= SMALLEST for text in texts(layout))


def check_layout_is_deterministic(picture: Picture, layout: Layout) -> None:
    again = layout_of(picture, RULER)
    assert layout == again
    assert hash(layout) == hash(again)


def check_hand_is_complete(picture: HandPicture, layout: Layout) -> None:
    faces = hand_faces(layout)
    assert Counter(face.card for face in faces) == Counter(picture.view.hand)
    assert [face.number for face in faces] == list(range(1, len(faces) + 1))
    assert tuple(face.card for face in faces) == cards_in_order(picture)


def check_indices_are_visible(layout: Layout) -> None:
    rails = [item for item in layout.items if isinstance(item, Rail)]
    faces = hand_faces(layout)
    for rail in rails:
        row = [face for face in faces if face.box.top < rail.box.top < face.box.bottom]
        for face, following in pairwise(row):
            assert following.box.left - face.box.left >= NARROWEST_STEP - 0.01
    for suit in (item for item in layout.items if isinstance(item, LargeSuit)):
        assert [face for face in faces if face.box.contains(suit.box)]


def check_chosen_and_new_cards(picture: HandPicture, layout: Layout) -> None:
    lifted = Counter(face.card for face in hand_faces(layout) if face.frame)
    staged = sum((Counter(meld) for meld in picture.staged), Counter[int]())
    assert lifted == Counter(picture.selected) + staged
    signs = Counter(item.sign for item in layout.items if isinstance(item, Symbol) and is_on_rail(layout, item))
    fresh = Counter(picture.view.fresh) & (Counter(picture.view.hand) - lifted)
    marked = {Sign.STAR: len(picture.selected), Sign.TICK: staged.total(), Sign.PLUS: fresh.total()}
    assert signs == +Counter(marked)


@given(st.lists(st.integers(1, 24), max_size=14))
def test_rows_of_a_hand_hold_every_card_and_show_enough_of_each(groups: list[int]) -> None:
    rows = distribute_groups(tuple(groups))
    assert sum(row.cards for row in rows) == sum(groups)
    assert all(row.step >= NARROWEST_STEP for row in rows)


def test_rows_of_a_hand_are_as_few_as_possible() -> None:
    assert distribute_groups((2, 3, 2)) == (CardRow((2, 3, 2)),)
    assert len(distribute_groups((2, 3, 2, 1, 3, 1, 1, 1, 1))) == 2
    assert len(distribute_groups((3, 4, 2, 3, 4, 1, 2, 2, 1, 2, 1, 1, 2, 2))) == 3


def check_hand_height(picture: HandPicture, layout: Layout) -> None:
    rails = sum(isinstance(item, Rail) for item in layout.items)
    strip = strip_layout(picture, RULER.scaled_to_width(layout.width), layout.width).height
    assert round((layout.height - strip - HEADER - ROW * max(1, rails)) / CHIP_LINE, 6) in range(5)


def test_a_board_has_one_of_three_heights() -> None:
    usual = layout_of(samples.boards()["board_4"], RULER).height
    assert usual == layout_of(samples.boards()["board_start"], RULER).height
    assert usual == layout_of(samples.boards()["board_2"], RULER).height
    assert usual + USUAL.row == layout_of(samples.boards()["board_crowded"], RULER).height
    assert HEAD * 3 < usual < 370


def test_a_board_shows_whose_turn_it_is() -> None:
    layout = layout_of(samples.boards()["board_4"], RULER)
    shown = {text.text for text in texts(layout)}
    assert {"North", "East", "South", "West", "North to play", "FROZEN", "42", "17"} <= shown


def test_the_hand_header_shows_what_has_been_put_together() -> None:
    shown = {text.text for text in texts(layout_of(samples.hands()["hand_staged"], RULER))}
    assert "Meld 30 / 90" in shown


def test_an_empty_hand_can_be_drawn() -> None:
    layout = layout_of(HandPicture(view=samples.hand_of("")), RULER)
    assert layout.height == HEADER + ROW


def test_layouts_and_descriptions_need_no_pixels() -> None:
    script = "import sys, render.layouts, render.descriptions; print('PIL' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True, timeout=60)
    assert done.stdout == "False\n"


def test_hands_are_sorted_in_the_chosen_order() -> None:
    hand = samples.hands()["hand_15"]
    values = hand.view.table.rules.card_values
    by_value = [values[card >> 2] for card in cards_in_order(replace(hand, order=HandOrder.VALUE))]
    assert by_value == sorted(by_value, reverse=True)
    first, *rest = hand.view.hand
    as_drawn = cards_in_order(replace(hand, order=HandOrder.DRAWN, drawn=(*rest, first)))
    assert as_drawn == (*rest, first)
    some = cards_in_order(replace(hand, order=HandOrder.DRAWN, drawn=(rest[3], 63, first)))
    assert some[-2:] == (rest[3], first)
    assert Counter(some) == Counter(hand.view.hand)


def test_a_hand_in_drawn_order_has_even_rows() -> None:
    assert [row.cards for row in distribute_evenly(15)] == [8, 7]
    assert [row.cards for row in distribute_evenly(60)] == [12] * 5
    assert distribute_evenly(0) == ()


def test_a_large_print_shows_less_side_by_side() -> None:
    board = samples.boards()["board_4"]
    usual, large = layout_of(board, RULER), layout_of(samples.with_theme(board, ThemeName.LARGE), RULER)
    assert large.width < usual.width
    assert large.height / large.width > usual.height / usual.width
    thirty = samples.with_theme(samples.hands()["hand_30"], ThemeName.LARGE)
    assert sum(isinstance(item, Rail) for item in layout_of(thirty, RULER).items) == 4


def check_board_height(picture: BoardPicture, layout: Layout) -> None:
    """Check that the height depends only on sides, rows of melds, print and the rules' name."""
    told = replace(picture, names=(), headline="", advice="", clocks=())
    assert layout.height == layout_of(told, RULER).height


def check_chart_bounds(layout: Layout) -> None:
    for item in layout.items:
        if isinstance(item, Stroke | Area):
            assert all(0 <= x <= layout.width and 0 <= y <= layout.height for x, y in item.points)


def check_score_numbers(picture: ScorePicture) -> None:
    plain = replace(picture, side_names=(), rules_name="", banner="")
    for text in texts(layout_of(plain, RULER)):
        assert not (text.text.endswith("…") and text.text[:-1].strip("+\N{MINUS SIGN}").isdigit()), text


def check_meld_marks_are_visible(layout: Layout) -> None:
    tiles = [item for item in layout.items if isinstance(item, MeldTile)]
    for tile, following in pairwise(tiles):
        if following.box.bottom == tile.box.bottom and following.box.left > tile.box.left:
            assert following.box.left - tile.box.left >= 20
        assert tile.box.top - BEHIND * len(tile.behind) >= max(
            (
                above.box.bottom
                for above in tiles
                if above.box.bottom < tile.box.top and above.box.left == tile.box.left
            ),
            default=0,
        )


def check_meld_sizes(picture: BoardPicture, layout: Layout) -> None:
    tiles = [item for item in layout.items if isinstance(item, MeldTile)]
    sizes = [meld.size for side in picture.view.sides for meld in side.melds]
    assert sorted(sizes) == sorted(int("".join(filter(str.isdecimal, tile.label))) for tile in tiles)


@given(picture_strategies.boards())
def test_a_canasta_is_a_stack_red_where_it_is_natural_and_black_where_it_is_mixed(picture: BoardPicture) -> None:
    """`docs/law/classic.md 1.14`"""
    colours = {"natural": "red", "mixed": "black"}
    melds = [to_shown_meld(meld) for side in picture.view.sides for meld in side.melds]
    tiles = [item for item in layout_of(picture, RULER).items if isinstance(item, MeldTile)]
    stacks = [tile for tile in tiles if tile.colour in colours.values()]
    expected = Counter((colours[meld.canasta], meld.size) for meld in melds if meld.canasta in colours)
    assert expected == Counter((tile.colour, int("".join(filter(str.isdecimal, tile.label)))) for tile in stacks)
    assert all(tile.behind for tile in stacks)


@given(picture_strategies.boards())
def test_the_card_that_froze_the_pile_lies_across_it(picture: BoardPicture) -> None:
    """`docs/law/classic.md 1.13`"""
    pile = picture.view.pile
    across = [item.card for item in layout_of(picture, RULER).items if isinstance(item, CrosswiseCard)]
    assert ([pile.freezer] if pile.cards and pile.frozen and pile.freezer is not None else []) == across


@given(PICTURES)
def test_every_picture_keeps_the_rules_of_layout(picture: Picture) -> None:
    layout = layout_of(picture, RULER)
    check_nothing_lies_outside(layout)
    check_texts_stay_on_plates(layout)
    check_texts_do_not_overlap(layout)
    check_text_sizes(layout)
    check_layout_is_deterministic(picture, layout)


@given(picture_strategies.hands())
def test_every_hand_keeps_the_rules_of_layout(picture: HandPicture) -> None:
    layout = layout_of(picture, RULER)
    check_texts_clear_of_melds(layout)
    check_hand_is_complete(picture, layout)
    check_indices_are_visible(layout)
    check_chosen_and_new_cards(picture, layout)
    check_hand_height(picture, layout)


@given(picture_strategies.boards())
def test_every_board_keeps_the_rules_of_layout(picture: BoardPicture) -> None:
    layout = layout_of(picture, RULER)
    check_texts_clear_of_melds(layout)
    check_board_height(picture, layout)
    check_meld_marks_are_visible(layout)
    check_meld_sizes(picture, layout)


@given(picture_strategies.scores())
def test_every_score_keeps_the_rules_of_layout(picture: ScorePicture) -> None:
    check_chart_bounds(layout_of(picture, RULER))
    check_score_numbers(picture)


LONG_NAMES = (
    "Hand and Foot, americana, tre contro tre con regole della casa",
    "Modern American, thirteen cards with house rules",
)
"""The longest names of any rules."""


@pytest.mark.parametrize("theme", [ThemeName.DARK, ThemeName.LARGE])
@pytest.mark.parametrize("name", LONG_NAMES)
def test_no_name_of_rules_is_cut(name: str, theme: ThemeName) -> None:
    picture = replace(samples.boards()["board_4"], rules_name=name, theme=theme)
    message = " ".join(text.text for text in texts(layout_of(picture, RULER)))
    assert all(word in message for word in name.split())
    for sheet in ("score_3", "score_6", "score_game"):
        score = replace(samples.scores()[sheet], rules_name=name, theme=theme)
        message = " ".join(text.text for text in texts(layout_of(score, RULER)))
        assert name in message


def test_the_names_of_three_on_a_side_are_not_cut() -> None:
    sides = ("North, Wilhelmina, Maximilian", "Bartholomew the Great, Christabel, Konstantinos")
    layout = layout_of(replace(samples.scores()["score_3"], side_names=sides), RULER)
    message = " ".join(text.text for text in texts(layout))
    assert all(side in message for side in sides)


def test_a_score_sheet_names_each_kind_of_canasta() -> None:
    picture = samples.scores()["score_3"]
    (*before, last) = samples.deal_results()
    lines = tuple(replace(one, other_canastas=4000) for one in last.lines)
    known = replace(last, lines=lines, others=(OtherCanastas(1500, 2500), OtherCanastas(0, 2500, 1500)))
    for result, names in (
        (known, {"Run canastas", "Wild canastas", "Special ranks"}),
        (replace(known, others=()), {"Other canastas"}),
        (replace(known, others=(OtherCanastas(1500), OtherCanastas())), {"Run canastas"}),
    ):
        layout = layout_of(replace(picture, results=(*before, result)), RULER)
        told = {text.text for text in texts(layout)}
        assert names == told & {"Run canastas", "Wild canastas", "Special ranks", "Other canastas"}
    assert "run canastas 1500, wild canastas 2500" in descriptions.score_text(
        replace(picture, results=(*before, known))
    )


def test_a_column_of_standings_is_wide_enough_for_its_figures() -> None:
    rows = tuple(StandingsRow(place, f"P{place}", ("6", f"{60 - 11.67 * place:.2f} %")) for place in (1, 2, 3, 4))
    picture = StandingsPicture(title="Club duplicate", note="", columns=("Boards", "Points"), rows=rows, medals=True)
    for row in rows:
        line = {one.text: one for one in texts(layout_of(picture, RULER))}
        boards = [one for one in texts(layout_of(picture, RULER)) if one.text == "6"][row.place - 1]
        points = line[str(row.values[1])]
        assert points.box.width >= RULER.width(points.text, points.style)
        assert boards.box.right + 4 <= points.box.right - RULER.width(points.text, points.style)
