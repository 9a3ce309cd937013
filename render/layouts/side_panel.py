"""Layout of one side of the table: seats, red threes, score and melds.

`ShownMeld` is a meld prepared for display: a set, a run, or wild cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from typing import Final, Literal, TypeAlias

from bot.engine.cards.cards import DIAMONDS, HEARTS, JOKER, TWO, Card, Kind, Suit, is_wild, kind_of, suit_of
from bot.engine.table.views import MeldView, SideView
from render.drawing.text_fitting import READABLE, Ruler, fit_name, fit_text, right_edge, text_in_box, text_on_baseline
from render.layout_items import SIDE_INKS, Box, CardFace, Ink, Item, MeldTile, Plate, Sign, Style, Symbol, TileColour
from render.layouts.pile import MINI
from render.layouts.table_notes import seat_name
from render.picture_inputs import BoardPicture
from render.picture_words import TIMES, PictureWords, rank_text

MeldKind: TypeAlias = Literal["set", "run", "wild"]
Canasta: TypeAlias = Literal["natural", "mixed", "wild", "run"]

FIRST_RUN: Final[Kind] = 16
"""Kinds from here on are runs of spades, hearts, diamonds and clubs."""

LETTERS: Final = {TWO: "2", JOKER: "j"}


@dataclass(frozen=True, slots=True)
class ShownMeld:
    """A meld prepared for display.

    `ranks` is the rank of a set, the lowest and highest of a run (which has a `suit`), empty for wild cards. `wild`
    are its wild cards, jokers first, a letter each: `2` or `j`; twos melded as a rank are not included.
    """

    kind: MeldKind
    ranks: tuple[Kind, ...]
    size: int
    wild: str = ""
    canasta: Canasta | None = None
    suit: Suit | None = None


def to_shown_meld(view: MeldView) -> ShownMeld:
    """Return a view's meld prepared for display."""
    kinds = sorted(kind_of(card) for card in view.cards)
    wild = "".join(LETTERS[kind] for kind in reversed(kinds) if is_wild(kind))
    if view.kind == JOKER:
        return ShownMeld("wild", (), view.size, wild, "wild" if view.canasta else None)
    if view.kind >= FIRST_RUN:
        ranks = [kind for kind in kinds if not is_wild(kind)]
        run: Canasta | None = "run" if view.canasta else None
        return ShownMeld("run", (ranks[0], ranks[-1]), view.size, wild, run, view.kind - FIRST_RUN)
    if view.kind == TWO:
        wild = wild.replace(LETTERS[TWO], "")
    done: Canasta = "mixed" if wild else "natural"
    return ShownMeld("set", (view.kind,), view.size, wild, done if view.canasta else None)


HEAD: Final = 45.0
SCORE_LINE: Final = 26.0
"""Height of the line for the score above the seats, in panels that are not wide enough."""

USUAL_ROWS: Final = 2
MOST_ROWS: Final = 4
MOST_SHORT_ROWS: Final = 6
DEALER: Final = 12.0
"""Size of the dealer's button."""

SCORE_ROOM: Final = 164.0
"""Width of red threes and score at the right."""

SEATS_BESIDE_SCORE: Final = 2
"""Most seats beside which there is room for the score."""

SEAT: Final = 36.0
"""Height of a seat's chip."""

STACKED: Final = 360.0
"""Panels narrower than this have their score above the seats."""

SCORE: Final = Style(800, 19.0)
NAME: Final = Style(700, 15.0)
SMALL: Final = Style(500, READABLE)
COUNT: Final = Style(600, READABLE)
LABEL: Final = Style(700, READABLE)

COLOURS: Final[dict[Canasta | None, TileColour]] = {
    "natural": "red",
    "mixed": "black",
    "wild": "gold",
    "run": "violet",
    None: "plain",
}


@dataclass(frozen=True, slots=True)
class MeldSizes:
    """Sizes of the melds in a panel.

    The tile, the best and least distance of two, cards visible behind one, and the height of a row.
    """

    tile: tuple[float, float]
    pitch: float
    closest: float
    behind: int
    row: float


USUAL: Final = MeldSizes((47.0, 57.0), 50.5, 49.0, 5, 79.0)
SMALL_TILES: Final = MeldSizes((43.5, 49.0), 47.0, 46.0, 3, 64.0)
"""For sides with so many melds that larger tiles do not fit."""


@dataclass(frozen=True, slots=True)
class SidePanel:
    """Builds the part of the table's layout that shows one side."""

    picture: BoardPicture
    number: int
    width: float
    ruler: Ruler

    @property
    def side(self) -> SideView:
        """Return the view of the side."""
        return self.picture.view.sides[self.number]

    @property
    def is_narrow(self) -> bool:
        """Return whether the panel has room for few melds in a row."""
        return self.width < STACKED

    @property
    def is_score_on_own_line(self) -> bool:
        """Return whether the score has a separate line: in a narrow panel, and above more than two seats."""
        return self.is_narrow or len(self.side.seats) > SEATS_BESIDE_SCORE

    @property
    def are_threes_below(self) -> bool:
        """Return whether red threes are beside the seat and not beside the score, as in some narrow panels."""
        return self.is_score_on_own_line and len(self.side.seats) == 1 and bool(self.side.red_threes)

    @property
    def head_height(self) -> float:
        """The height of everything above the melds in a side's panel."""
        return HEAD + (SCORE_LINE if self.is_score_on_own_line else 0)

    def melds_per_row(self, size: MeldSizes) -> int:
        """Return how many melds of that size fit in a row."""
        return int((self.width - 16 - size.tile[0]) // size.closest) + 1

    @property
    def best_sizes(self) -> MeldSizes:
        """The sizes of melds: the usual ones if two rows (three if narrow) hold all, else smaller."""
        usual = USUAL_ROWS + self.is_narrow
        return USUAL if len(self.side.melds) <= usual * self.melds_per_row(USUAL) else SMALL_TILES

    def row_count(self, size: MeldSizes) -> int:
        """Return how many rows the melds need in that size."""
        most = MOST_SHORT_ROWS if self.is_narrow else MOST_ROWS
        return max(1, min(ceil(len(self.side.melds) / self.melds_per_row(size)), most))

    def panel_height(self, rows: int, size: MeldSizes) -> float:
        """Return the panel's height with that many rows of melds."""
        return self.head_height + size.row * rows

    def place_items(self, left: float, top: float, rows: int, size: MeldSizes) -> Iterator[Item]:
        """Place the panel with space for that many rows of melds."""
        side, words = self.side, self.picture.words
        box = Box(left, top, self.width, self.panel_height(rows, size))
        yield Plate(box, 10, Ink.PANEL, Ink.PANEL_EDGE)
        yield Plate(Box(box.left, box.top + 8, 3.5, box.height - 16), 1.75, SIDE_INKS[side.side % len(SIDE_INKS)])
        yield from self.place_seats(box)
        if self.is_score_on_own_line:
            yield from self.place_score_line(box)
            yield from self.place_red_threes(
                box.right - 41, box.top + 5.5 + (SCORE_LINE + 5 if self.are_threes_below else 0)
            )
        else:
            yield from self.place_red_threes(box.right - SCORE_ROOM + 12, box.top + 12)
            yield from self.place_score(box)
        if side.melds:
            yield from self.place_melds(box, rows, size)
        elif not side.opened:
            text = first_meld_requirement(words, side)
            area = Box(box.left + 12, box.top + self.head_height, box.width - 24, box.height - self.head_height - 6)
            yield text_in_box(text, area, SMALL, Ink.SECONDARY, ruler=self.ruler, least=READABLE)

    def place_seats(self, box: Box) -> Iterator[Item]:
        """Place a chip for each seat: name, number of cards, clock; gold for the player to act."""
        seats = self.side.seats
        left, gap, top = box.left + 10, 4.0, box.top + 5 + (SCORE_LINE if self.is_score_on_own_line else 0)
        right = box.right - (8 if self.is_score_on_own_line else SCORE_ROOM - 8)
        if self.are_threes_below:
            right -= 36
        width = (right - left - gap * (len(seats) - 1)) / len(seats)
        for place, seat in enumerate(seats):
            yield from self.place_seat(seat, Box(left + place * (width + gap), top, width, SEAT))

    def place_seat(self, seat: int, plate: Box) -> Iterator[Item]:
        """Place the chip of one seat."""
        picture, ruler = self.picture, self.ruler
        acts = picture.view.actor == seat
        ink = Ink.TURN_SECONDARY if acts else Ink.SECONDARY
        yield Plate(plate, 7, Ink.TURN if acts else Ink.CHIP)
        left = plate.left + (7 if plate.width > 90 else 5)
        row: list[Item] = list(self.place_seat_counts(seat, left, plate, ink))
        yield from row
        right = plate.right - 5
        name = seat_name(picture.names, seat, picture.words)
        if picture.view.dealer == seat:
            free = plate.right - 7 - right_edge(row) - 7
            if ruler.width(picture.words.dealer, SMALL) <= free:
                text = picture.words.dealer
                yield text_on_baseline(text, plate.right - 7, plate.top + 31, SMALL, ink, ruler=ruler, anchor="right")
            elif ruler.width(name, NAME) > right - 13 - left - 10 * acts and free >= DEALER:
                yield Symbol(Sign.DEALER, Box(right - 10, plate.top + 20, DEALER, DEALER), ink)
            else:
                yield Symbol(Sign.DEALER, Box(right - 11, plate.top + 3.5, DEALER, DEALER), ink)
                right -= 15
        if acts:
            yield Symbol(Sign.ARROW, Box(left, plate.top + 5.8, 6.5, 7.6), Ink.TURN_TEXT)
            left += 10
        name, style = fit_name(name, NAME, right - left, ruler, least=READABLE)
        yield text_on_baseline(name, left, plate.top + 15, style, Ink.TURN_TEXT if acts else Ink.TEXT, ruler=ruler)

    def place_seat_counts(self, seat: int, left: float, plate: Box, ink: Ink) -> Iterator[Item]:
        """Place the seat's numbers of cards held and face down, and its clock."""
        y = plate.top + 20.5
        yield Symbol(Sign.CARDS, Box(left, y, 9.4, 10), ink)
        info = self.picture.view.seats[seat]
        held = f"{info.cards}+{info.face_down_cards}" if info.face_down_cards else str(info.cards)
        count = text_on_baseline(held, left + 11.5, plate.top + 31, COUNT, ink, ruler=self.ruler)
        yield count
        clock = self.picture.clocks[seat] if seat < len(self.picture.clocks) else ""
        if clock:
            x = count.box.right + (8 if plate.width > 90 else 4)
            yield Symbol(Sign.CLOCK, Box(x, y + 0.3, 9.6, 9.6), ink)
            text, style = fit_text(clock, COUNT, plate.right - 2 - x - 11.5, self.ruler, least=READABLE)
            yield text_on_baseline(text, x + 11.5, plate.top + 31, style, ink, ruler=self.ruler)

    def place_red_threes(self, left: float, top: float) -> Iterator[Item]:
        """Place up to two threes as small cards, more as one card with a number.

        If both colours are among them, there is one such card per colour.
        """
        cards = self.side.red_threes
        if self.has_counts_by_colour:
            red = self.red_cards
            yield from self.place_counted_card(red, left, top)
            yield from self.place_counted_card(tuple(card for card in cards if card not in red), left + 21, top)
            return
        for place, card in enumerate(cards if len(cards) <= 2 else cards[:1]):
            yield CardFace(card, Box(left + place * 16.5, top, *MINI))
        if len(cards) > 2:
            text = Box(left + MINI[0] + 1.5, top, 22, MINI[1])
            yield text_in_box(f"{TIMES}{len(cards)}", text, COUNT, Ink.TEXT, ruler=self.ruler, anchor="left")

    @property
    def red_cards(self) -> tuple[Card, ...]:
        """The side's threes of hearts and diamonds."""
        return tuple(card for card in self.side.red_threes if suit_of(card) in (HEARTS, DIAMONDS))

    @property
    def has_counts_by_colour(self) -> bool:
        """Return whether threes of each colour are shown as one card with a number."""
        count = len(self.side.red_threes)
        return count > 2 and 0 < len(self.red_cards) < count

    def place_counted_card(self, cards: tuple[Card, ...], left: float, top: float) -> Iterator[Item]:
        """Place a small card with a number below it."""
        yield CardFace(cards[0], Box(left, top - 6, *MINI))
        box = Box(left - 3, top + MINI[1] - 6, MINI[0] + 6, 13)
        yield text_in_box(f"{TIMES}{len(cards)}", box, COUNT, Ink.TEXT, ruler=self.ruler)

    @property
    def score_text(self) -> str:
        """The side's score, or those of its seats if each has one."""
        return " / ".join(self.picture.words.number_text(score) for score in self.side.scores)

    def deal_points_text(self, width: float) -> tuple[str, Style]:
        """Return this deal's points so far as text, and its style.

        It is the number alone if there is no room for words.
        """
        words, number = self.picture.words, self.picture.words.signed_number_text(self.side.on_table)
        text = words.on_table.format(n=number)
        text = text if self.ruler.width(text, SMALL) <= width else number
        return fit_text(text, SMALL, width, self.ruler, least=READABLE)

    def place_score(self, box: Box) -> Iterator[Item]:
        """Place the side's score before the deal, and this deal's points so far below it."""
        right = box.right - 9
        width = right - (box.right - SCORE_ROOM + (54 if self.has_counts_by_colour else 46))
        text, style = fit_text(self.score_text, SCORE, width, self.ruler, least=READABLE)
        yield text_on_baseline(text, right, box.top + 21, style, Ink.TEXT, ruler=self.ruler, anchor="right")
        text, style = self.deal_points_text(width)
        yield text_on_baseline(text, right, box.top + 37.5, style, Ink.SECONDARY, ruler=self.ruler, anchor="right")

    def place_score_line(self, box: Box) -> Iterator[Item]:
        """Place the side's score and this deal's points so far in one line."""
        side = self.side
        text = text_on_baseline(self.score_text, box.left + 12, box.top + 22.5, SCORE, Ink.TEXT, ruler=self.ruler)
        yield text
        room = box.right - 9 - text.box.right - 8 - (36 if side.red_threes and not self.are_threes_below else 0)
        message, style = self.deal_points_text(room)
        yield text_on_baseline(message, text.box.right + 8, box.top + 22, style, Ink.SECONDARY, ruler=self.ruler)

    def place_melds(self, box: Box, rows: int, size: MeldSizes) -> Iterator[Item]:
        """Place the side's melds in the order in which they lie on the table."""
        melds = [to_shown_meld(meld) for meld in self.side.melds]
        a_row = max(self.melds_per_row(size), ceil(len(melds) / rows))
        pitch = min(size.pitch, (box.width - 16 - size.tile[0]) / (a_row - 1))
        for number, meld in enumerate(melds):
            left = box.left + 11 + pitch * (number % a_row)
            bottom = box.top + self.head_height + size.row * (number // a_row + 1) - 6
            place = Box(left, bottom - size.tile[1], *size.tile)
            yield meld_tile(meld, place, self.picture.words, self.ruler, most=size.behind)


def first_meld_requirement(words: PictureWords, side: SideView) -> str:
    """Return text on what a side's first meld needs."""
    if side.canasta == "none":
        return words.minimum.format(n=words.number_text(side.minimum))
    return words.demand.format(
        canasta=words.required_canasta_text(side.canasta, side.minimum and words.number_text(side.minimum))
    )


def canasta_words(words: PictureWords) -> dict[Canasta, str]:
    """Return the word for each kind of canasta on the label of a tile."""
    return {"natural": words.natural, "mixed": words.mixed, "wild": words.wild, "run": words.run}


def meld_tile(meld: ShownMeld, box: Box, words: PictureWords, ruler: Ruler, *, most: int) -> MeldTile:
    """Return a meld as a tile with at most `most` cards behind its front card, wild ones at the back."""
    mark = tuple(rank_text(rank) for rank in meld.ranks)
    if meld.canasta:
        label, style = _canasta_label(canasta_words(words)[meld.canasta], meld.size, box.width - 3, ruler)
        return MeldTile(box, mark, "nn", len(meld.wild), COLOURS[meld.canasta], label, style, meld.suit)
    fill = "2" if meld.ranks in ((), (TWO,)) else "n"
    behind = (meld.wild + fill * meld.size)[: min(meld.size - 1, most)]
    return MeldTile(box, mark, behind, len(meld.wild), "plain", str(meld.size), LABEL, meld.suit)


def _canasta_label(word: str, size: int, width: float, ruler: Ruler) -> tuple[str, Style]:
    """Return the label of a canasta, its kind and size; a long word is cut, never the number."""
    text = f"{word} {size}"
    while len(word) > 1 and ruler.width(text, LABEL) > width:
        close = f"{word}{size}"
        if ruler.width(close, LABEL) <= width:
            return close, LABEL
        word = word[:-1].rstrip()
        text = f"{word} {size}"
    return text, LABEL
