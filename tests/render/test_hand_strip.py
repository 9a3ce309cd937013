"""The strip of the table above a hand, and names on strips and boards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given

from bot.engine.cards.notation import parse_cards
from render.drawing.fonts import FontRuler
from render.layout_items import WIDTH, CardFace, Ink, Item, Layout, MeldTile, Plate, Rail, Sign, Symbol, Text, ThemeName
from render.layouts import layout_of
from render.layouts.hand import HEADER, ROW, sort_by_rank
from render.layouts.hand_strip import strip_layout
from render.picture_inputs import BoardPicture, HandPicture
from render.picture_words import TIMES
from tests.render import picture_strategies, samples

RULER = FontRuler()
STRIPS = samples.strips()


def strip_of(picture: HandPicture) -> list[Item]:
    """Return the items of the strip above a hand."""
    width = layout_of(picture, RULER).width
    return list(strip_layout(picture, RULER.scaled_to_width(width), width).items)


def texts(items: list[Item] | Layout) -> list[str]:
    every = items.items if isinstance(items, Layout) else items
    return [item.text for item in every if isinstance(item, Text)]


def meld_tiles(items: list[Item]) -> list[MeldTile]:
    return [item for item in items if isinstance(item, MeldTile)]


def count_snowflakes(items: list[Item]) -> int:
    return sum(isinstance(item, Symbol) and item.sign is Sign.SNOWFLAKE for item in items)


def test_a_hand_without_names_has_no_strip() -> None:
    picture = STRIPS["strip_unopened"]
    assert layout_of(replace(picture, names=()), RULER).height == HEADER + 2 * ROW


@pytest.mark.parametrize("cards", ["As Ah Ks Kd Kc Th 9d 7s 7h 7c 4d", samples.FIFTEEN])
def test_the_cards_are_as_large_with_a_strip_as_without(cards: str) -> None:
    with_strip = samples.hand_below_board(samples.boards()["board_4"], cards)
    alone = layout_of(replace(with_strip, names=()), RULER)
    layout = layout_of(with_strip, RULER)
    below = strip_layout(with_strip, RULER, layout.width).height
    assert layout.height - below == alone.height
    assert layout.height < 330
    assert [face.box.left for face in faces(layout)] == [face.box.left for face in faces(alone)]


def faces(layout: Layout) -> list[CardFace]:
    return [item for item in layout.items if isinstance(item, CardFace) and item.number is not None]


def test_a_strip_shows_pile_stock_hands_melds_and_minimum() -> None:
    lines = texts(strip_of(STRIPS["strip_unopened"]))
    assert lines == ["17", "no melds yet", "Ben", "14", "stock", "42", "Computer 1", "9", "Computer 2", "12"]
    marks = [
        (tile.mark, tile.colour, tile.label, tile.stars) for tile in meld_tiles(strip_of(STRIPS["strip_unopened"]))
    ]
    assert marks == [
        (("A",), "black", "MIX", 0),
        (("J",), "red", "NAT", 0),
        (("10",), "plain", "5", 1),
        (("4",), "plain", "3", 0),
        (("6",), "plain", "4", 0),
    ]


def test_the_viewers_side_is_first() -> None:
    items = strip_of(STRIPS["strip_second"])
    bars = [item.fill for item in items if isinstance(item, Plate) and item.fill in (Ink.SIDE_0, Ink.SIDE_1)]
    assert bars == [Ink.SIDE_1, Ink.SIDE_0]
    assert texts(items)[1:5] == ["Computer 2", "12", "stock", "42"]


def test_a_snowflake_shows_that_the_pile_is_frozen_for_the_seat() -> None:
    clear = samples.with_pile(samples.boards_of_many_seats()["board_clocks"], frozen=False, freezer=None)
    assert count_snowflakes(strip_of(samples.hand_below_board(clear, samples.TWELVE))) == 0
    assert (
        count_snowflakes(strip_of(samples.hand_below_board(samples.with_unopened_sides(clear, 0), samples.TWELVE))) == 1
    )
    assert (
        count_snowflakes(strip_of(samples.hand_below_board(samples.with_unopened_sides(clear, 1), samples.TWELVE))) == 0
    )
    assert (
        count_snowflakes(strip_of(samples.hand_below_board(samples.with_pile(clear, frozen=True), samples.TWELVE))) == 1
    )
    empty = samples.with_pile(samples.with_unopened_sides(clear, 0), cards=0, top=None)
    assert count_snowflakes(strip_of(samples.hand_below_board(empty, samples.TWELVE))) == 0


def test_many_canastas_are_gathered_by_kind() -> None:
    shown = meld_tiles(strip_of(STRIPS["strip_feet"]))
    counted = [(tile.mark[0], tile.label) for tile in shown if tile.mark and TIMES in tile.mark[0]]
    assert (f"{TIMES}6", "NAT") in counted
    assert (f"{TIMES}12", "MIX") in counted


@given(picture_strategies.hands())
def test_nothing_in_a_strip_overlaps_and_every_meld_has_a_tile_or_is_counted(picture: HandPicture) -> None:
    items = strip_of(picture)
    seen = [item for item in items if isinstance(item, MeldTile | Text | Symbol)]
    loose = [item for item in seen if not isinstance(item, Text) or item.text]
    for first, second in combinations(loose, 2):
        assert not first.box.overlaps(second.box, slack=0.5), (first, second)
    if not picture.names:
        return
    rail = next((item for item in layout_of(picture, RULER).items if isinstance(item, Rail)), None)
    assert rail is None or max(item.box.bottom for item in items) < rail.box.top
    left_out = sum(int(text[1:]) for text in texts(items) if text.startswith("+") and text[1:].isdigit())
    gathered = [tile.mark[0] for tile in meld_tiles(items) if tile.mark and TIMES in tile.mark[0]]
    shown = len(meld_tiles(items)) - len(gathered) + sum(int(mark.removeprefix(TIMES)) for mark in gathered)
    assert shown + left_out == sum(len(side.melds) for side in picture.view.table.sides)


# --- names ------------------------------------------------------------------------------------------------------------

SHORT = ("Al", "Bob", "You", "Anna", "Momo", "Wim", "Zoë")
MIDDLING = ("Martha", "Robert", "Gudrun", "Miriam", "Magnus", "Edward", "Monika")
LONG = ("Wilhelmina of the Netherlands", "Konstantinos", "Computer 12", "Maximilian", "W" * 32, "Bartholomew", "Al")
TABLES: dict[str, HandPicture | BoardPicture] = {**samples.boards(), **samples.boards_of_many_seats(), **STRIPS}


def with_names(name: str, names: tuple[str, ...], theme: ThemeName) -> tuple[HandPicture | BoardPicture, list[str]]:
    """Return the sample with other names, and the names that it has to show."""
    picture = TABLES[name]
    table = picture.view.table if isinstance(picture, HandPicture) else picture.view
    shown = [names[info.seat] for info in table.seats if not info.resting]
    if isinstance(picture, HandPicture):
        return replace(picture, names=names, title=names[picture.view.seat], theme=theme), shown
    return replace(picture, names=names, headline="", theme=theme), shown


@pytest.mark.parametrize("theme", ThemeName)
@pytest.mark.parametrize("names", [SHORT, MIDDLING])
def test_no_short_name_is_cut(names: tuple[str, ...], theme: ThemeName) -> None:
    for name in TABLES:
        picture, wanted = with_names(name, names, theme)
        told = Counter(texts(layout_of(picture, RULER)))
        assert set(wanted) <= set(told), (name, [one for one in told if "…" in one])


@pytest.mark.parametrize("theme", ThemeName)
def test_a_long_name_keeps_enough_letters(theme: ThemeName) -> None:
    for name in TABLES:
        picture, wanted = with_names(name, LONG, theme)
        lines = texts(layout_of(picture, RULER))
        for one in wanted:
            assert [text for text in lines if text.startswith(one[:4])], (name, one)
        assert "…" not in [text.strip() for text in lines], name


QUESTION = "{name}, your partner asks: may I go out?"


@pytest.mark.parametrize("theme", ThemeName)
@pytest.mark.parametrize("name", ["You", "Anna", "Wilhelmina", "W" * 32])
def test_a_question_does_not_cut_the_partners_name(name: str, theme: ThemeName) -> None:
    board = samples.boards()["board_4"]
    names = (name, *board.names[1:])
    picture = replace(board, names=names, headline=QUESTION.format(name=name), theme=theme)
    lines = texts(layout_of(picture, RULER))
    assert "your partner asks: may I go out?" in " ".join(lines).partition(",")[2]
    assert len(name) > 20 or f"{name}, your" in " ".join(lines)


def test_a_hand_is_sorted_from_aces_down_to_threes_jokers_and_twos() -> None:
    hand = parse_cards("3h 2c JK 4d 3s Ah Ks 5h Td 3c As")
    assert sort_by_rank(hand) == parse_cards("As Ah Ks Td 5h 4d 3s 3c 3h JK 2c")


def test_by_default_a_board_names_the_player_to_move() -> None:
    board = replace(samples.boards()["board_4"], headline="")
    assert "North to play" in texts(layout_of(board, RULER))
    over = replace(board, view=replace(board.view, actor=None))
    assert not [text for text in texts(layout_of(over, RULER)) if "to play" in text]


PHONE: int = 275
"""Width in pixels of a picture in a message on a phone."""

LEAST: float = 9.6


def sizes_on_a_phone(items: Sequence[Item]) -> dict[str, float]:
    """Return the font size of each text and meld label, in pixels of a phone's screen."""
    told = [(item.text, item.style) for item in items if isinstance(item, Text)]
    told += [(item.label, item.style) for item in items if isinstance(item, MeldTile)]
    return {text: style.size * PHONE / WIDTH for text, style in told if text}


@pytest.mark.parametrize("name", [*samples.boards(), *samples.boards_of_many_seats()])
def test_no_text_of_a_board_is_too_small_for_a_phone(name: str) -> None:
    pictures = {**samples.boards(), **samples.boards_of_many_seats()}
    for names in (pictures[name].names, LONG):
        picture = replace(pictures[name], names=tuple(names)[: len(pictures[name].view.seats)])
        found = sizes_on_a_phone(layout_of(picture, RULER).items)
        assert {} == {text: size for text, size in found.items() if size < LEAST}


@pytest.mark.parametrize("name", STRIPS)
def test_no_text_of_a_strip_is_too_small_for_a_phone(name: str) -> None:
    for names in (STRIPS[name].names, LONG):
        picture = replace(STRIPS[name], names=tuple(names)[: len(STRIPS[name].names)])
        found = sizes_on_a_phone(strip_of(picture))
        assert {} == {text: size for text, size in found.items() if size < LEAST}


@pytest.mark.parametrize("theme", ThemeName)
def test_the_word_partner_is_never_shortened(theme: ThemeName) -> None:
    picture = replace(STRIPS["strip_unopened"], names=("partner",) * 4, theme=theme)
    assert "partner" in texts(strip_of(picture))
