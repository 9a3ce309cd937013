"""Where things lie on the table: a panel for each side, stock and pile between them."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import Final

from bot.engine.cards import JOKER, TWO, kind_of
from bot.engine.views import MeldView, SideView
from render.inputs import BoardPicture
from render.items import (
    SIDE_INKS,
    WIDTH,
    Back,
    Box,
    Crosswise,
    Face,
    Ink,
    Item,
    Layout,
    Plate,
    Sign,
    Style,
    Symbol,
    Tile,
    Under,
)
from render.names import bounded
from render.typeset import ChipLook, Ruler, chip, fit, right_of, text_at, text_in, wrap
from render.words import TIMES, Words, rank_text

MARGIN: Final = 8.0
PANEL_HEAD: Final = 40.0
MELD_ROW: Final = 79.0
STRIP: Final = 92.0
GAP: Final = 4.0
EDGE: Final = 7.0
TILE: Final = (41.0, 57.0)
PITCH: Final = 46.6
TILES_A_ROW: Final = 8
MOST_BEHIND: Final = 5
PILE_CARD: Final = (53.0, 74.0)
MINI: Final = (15.0, 21.0)
CROSS_SHOWN: Final = 29.0
"""Enough for the index of the card that lies crosswise."""

SEATS_RIGHT: Final = 260.0
"""Name chips end here; red threes and the score follow."""

SCORE: Final = Style(800, 19.0)
HEADLINE: Final = Style(800, 16.5)
ADVICE: Final = Style(600, 12.4)
NAME: Final = Style(700, 12.4)
SMALL: Final = Style(500, 11.5)
COUNT: Final = Style(600, 11.5)
CHIP: Final = Style(700, 11.5)
BADGE: Final = Style(700, 13.0)
LABEL: Final = Style(700, 11.0)


MOST_LINES: Final = 3
"""Lines of text below the headline."""


def board_layout(picture: BoardPicture, ruler: Ruler) -> Layout:
    """The table as placed things; the height depends on the number of sides and rows of melds alone."""
    view = picture.view
    items: list[Item] = []
    top = EDGE
    strip_at = 1 if len(view.sides) == 2 else 0
    for place in range(len(view.sides) + 1):
        if place == strip_at:
            items += _strip(picture, top, ruler)
            top += STRIP + GAP
        else:
            side = view.sides[place - (place > strip_at)]
            rows = 1 if len(side.melds) <= TILES_A_ROW else 2
            box = Box(MARGIN, top, WIDTH - 2 * MARGIN, PANEL_HEAD + MELD_ROW * rows)
            items += _panel(picture, side, box, rows, ruler)
            top += box.height + GAP
    return Layout(top - GAP + EDGE, tuple(items))


def _panel(picture: BoardPicture, side: SideView, box: Box, rows: int, ruler: Ruler) -> Iterator[Item]:
    """One side: its seats, red threes and score, and its melds below."""
    yield Plate(box, 10, Ink.PANEL, Ink.PANEL_EDGE)
    yield Plate(Box(box.left, box.top + 8, 3.5, box.height - 16), 1.75, SIDE_INKS[side.side % len(SIDE_INKS)])
    yield from _seats(picture, side, box, ruler)
    yield from _red_threes(side, box, ruler)
    yield from _score(side, box, picture.words, ruler)
    if side.melds:
        yield from _melds(side, box, rows, picture.words, ruler)
    elif not side.opened:
        text = picture.words.minimum.format(n=picture.words.number(side.minimum))
        area = Box(box.left + 12, box.top + PANEL_HEAD, box.width - 24, box.height - PANEL_HEAD - 6)
        yield text_in(text, area, SMALL, Ink.SECONDARY, ruler=ruler)


def _seats(picture: BoardPicture, side: SideView, box: Box, ruler: Ruler) -> Iterator[Item]:
    """A chip for each seat of the side: name and number of cards, the seat to act on gold."""
    view, words = picture.view, picture.words
    left, gap = box.left + 10, 4.0
    width = (SEATS_RIGHT - left - gap * (len(side.seats) - 1)) / len(side.seats)
    for place, seat in enumerate(side.seats):
        plate = Box(left + place * (width + gap), box.top + 5, width, 31)
        acts = view.actor == seat
        yield Plate(plate, 7, Ink.TURN if acts else Ink.CHIP)
        x = plate.left + 7
        if acts:
            yield Symbol(Sign.ARROW, Box(x, plate.top + 5.4, 6.5, 7.6), Ink.TURN_TEXT)
            x += 10
        name = bounded(picture.names[seat] if seat < len(picture.names) else "") or words.seat.format(n=seat + 1)
        name, style = _name(name, plate.right - 5 - x, ruler)
        yield text_at(name, x, plate.top + 13.6, style, Ink.TURN_TEXT if acts else Ink.TEXT, ruler=ruler)
        ink = Ink.TURN_SECONDARY if acts else Ink.SECONDARY
        x = plate.left + 7
        yield Symbol(Sign.CARDS, Box(x, plate.top + 17.6, 9.4, 10), ink)
        count = text_at(str(view.seats[seat].cards), x + 12, plate.top + 26.8, COUNT, ink, ruler=ruler)
        yield count
        room = plate.right - 6 - count.box.right - 7
        if view.dealer == seat and ruler.width(words.dealer, SMALL) <= room:
            yield text_at(words.dealer, plate.right - 7, plate.top + 26.8, SMALL, ink, ruler=ruler, anchor="right")


def _name(name: str, width: float, ruler: Ruler) -> tuple[str, Style]:
    """The name as it fits; a little smaller before it is shortened."""
    return fit(name, NAME, width, ruler)


def _red_threes(side: SideView, box: Box, ruler: Ruler) -> Iterator[Item]:
    """One or two red threes as small cards, more as one and a number."""
    cards, top = side.red_threes, box.top + 10
    if not cards:
        return
    for place, card in enumerate(cards if len(cards) <= 2 else cards[:1]):
        yield Face(card, Box(SEATS_RIGHT + 4 + place * 16.5, top, *MINI))
    if len(cards) > 2:
        text = Box(SEATS_RIGHT + 4 + MINI[0] + 1.5, top, 15, MINI[1])
        yield text_in(f"{TIMES}{len(cards)}", text, COUNT, Ink.TEXT, ruler=ruler, anchor="left")


def _score(side: SideView, box: Box, words: Words, ruler: Ruler) -> Iterator[Item]:
    """The side's score before the deal, and what this deal has brought so far."""
    right = box.right - 9
    width = right - (SEATS_RIGHT + 38)
    text, style = fit(words.number(side.score), SCORE, width, ruler)
    yield text_at(text, right, box.top + 20, style, Ink.TEXT, ruler=ruler, anchor="right")
    text, style = fit(words.on_table.format(n=words.signed(side.on_table)), SMALL, width, ruler)
    yield text_at(text, right, box.top + 33.4, style, Ink.SECONDARY, ruler=ruler, anchor="right")


def _melds(side: SideView, box: Box, rows: int, words: Words, ruler: Ruler) -> Iterator[Item]:
    """The melds of a side in their order on the table, eight a row."""
    a_row = max(TILES_A_ROW, ceil(len(side.melds) / rows))
    pitch = PITCH if a_row == TILES_A_ROW else PITCH * (TILES_A_ROW - 1) / (a_row - 1)
    for number, meld in enumerate(side.melds):
        left = box.left + 11 + pitch * (number % a_row)
        bottom = box.top + PANEL_HEAD + MELD_ROW * (number // a_row + 1) - 6
        yield _tile(meld, Box(left, bottom - TILE[1], *TILE), words, ruler)


def _tile(meld: MeldView, box: Box, words: Words, ruler: Ruler) -> Tile:
    """A meld as a tile; its wild cards lie at the back."""
    rank = rank_text(meld.kind)
    if meld.canasta:
        word = words.natural if meld.canasta == "natural" else words.mixed
        label, style = fit(f"{word} {meld.size}", LABEL, box.width - 3, ruler)
        return Tile(box, rank, "nn", meld.size, meld.wilds, meld.canasta, label, style)
    letters = {TWO: "2", JOKER: "j"} if meld.kind not in (TWO, JOKER) else {}
    wilds = "".join(letters.get(kind_of(card), "") for card in sorted(meld.cards, reverse=True))
    behind = (wilds + "n" * meld.size)[: min(meld.size - 1, MOST_BEHIND)]
    return Tile(box, rank, behind, meld.size, meld.wilds, None, str(meld.size), LABEL)


def _strip(picture: BoardPicture, top: float, ruler: Ruler) -> Iterator[Item]:
    """Stock, pile and what is going on."""
    view = picture.view
    stock = Box(20, top + 10, *PILE_CARD)
    if view.stock:
        yield Under(stock, min(3, view.stock - 1))
        yield Back(stock)
        yield from _badge(str(view.stock), stock.centre, stock.middle, ruler)
    else:
        yield from _empty(stock, ruler)
    yield from _pile(picture, Box(114, top + 10, *PILE_CARD), ruler)
    yield from _story(picture, 200, top, ruler)


def _empty(box: Box, ruler: Ruler) -> Iterator[Item]:
    """A place where no card lies."""
    yield Plate(box, box.width * 0.085, Ink.SLOT, Ink.PANEL_EDGE)
    yield text_in("0", box, BADGE, Ink.SECONDARY, ruler=ruler)


def _badge(text: str, centre: float, middle: float, ruler: Ruler) -> Iterator[Item]:
    """A dark pill with a count."""
    width = max(23.0, ruler.width(text, BADGE) + 13)
    box = Box(centre - width / 2, middle - 9, width, 18)
    yield Plate(box, 9, Ink.BADGE, Ink.CHIP_EDGE)
    yield text_in(text, box, BADGE, Ink.BADGE_TEXT, ruler=ruler)


def _pile(picture: BoardPicture, box: Box, ruler: Ruler) -> Iterator[Item]:
    """The pile: the card that froze it crosswise under its top, a blue frame while frozen, and its count."""
    pile = picture.view.pile
    if not pile.cards:
        yield from _empty(box, ruler)
        return
    if pile.freezer is not None and pile.frozen:
        yield Crosswise(pile.freezer, Box(box.left - CROSS_SHOWN, box.bottom - PILE_CARD[0] - 1, box.height, box.width))
    yield Under(box, min(3, pile.cards - (pile.top is not None)))
    if pile.top is None:
        yield Plate(box, box.width * 0.085, Ink.SLOT, Ink.PANEL_EDGE)
    else:
        yield Face(pile.top, box, Ink.FROZEN_FRAME if pile.frozen else None)
    yield from _badge(str(pile.cards), box.right - 2, box.top + 1, ruler)


def _story(picture: BoardPicture, left: float, top: float, ruler: Ruler) -> Iterator[Item]:
    """Whose turn, what may be done, what happened, and the chips."""
    view, words = picture.view, picture.words
    width = WIDTH - MARGIN - left
    lines = [(line, ADVICE, Ink.GOLD) for line in wrap(picture.advice, ADVICE, width, 2, ruler)]
    for text in picture.last:
        lines += [
            (line, SMALL, Ink.FELT_SECONDARY) for line in wrap(text, SMALL, width, MOST_LINES - len(lines), ruler)
        ]
    tight = len(lines) > 2
    baseline = top + (20.5 if tight else 24.5)
    text, style = fit(picture.headline, HEADLINE, width, ruler)
    yield text_at(text, left, baseline, style, Ink.TEXT, ruler=ruler)
    baseline += 1.5
    for line, wanted, ink in lines[:MOST_LINES]:
        baseline += 14.3 if tight else 15.5
        text, style = fit(line, wanted, width, ruler)
        yield text_at(text, left, baseline, style, ink, ruler=ruler)
    x, y = left, top + STRIP - (22.0 if tight else 25.5)
    if view.pile.frozen:
        look = ChipLook(CHIP, Ink.FROZEN, Ink.FROZEN_TEXT, Ink.FROZEN_EDGE, Sign.SNOWFLAKE, 18)
        items = chip(words.frozen.upper(), look, (x, y), ruler=ruler, limit=90)
        yield from items
        x = right_of(items) + 5
    deal = f"{words.deal.format(n=view.deal)} · {words.target.format(n=words.number(view.rules.target))}"
    look = ChipLook(COUNT, Ink.CHIP, Ink.SECONDARY, Ink.CHIP_EDGE, None, 18)
    yield from chip(deal, look, (x, y), ruler=ruler, limit=WIDTH - MARGIN - x)
