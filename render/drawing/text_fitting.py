"""Set text into boxes: measure, shrink and shorten it, with fonts known only through a `Ruler`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, Literal, Protocol

from render.drawable_names import drawable_text
from render.layout_items import CAP_HEIGHT, DESCENT, Box, Ink, Item, Plate, Sign, Style, Symbol, Text

ELLIPSIS: Final = "…"
SMALLEST: Final = 10.8
"""The smallest text size: about 11 points on a phone's screen."""

READABLE: Final = 14.0
"""The smallest text size on boards and strips: 9.6 pixels on a picture shown 275 pixels wide."""

Anchor = Literal["left", "middle", "right"]


class Ruler(Protocol):
    """Measures text, and knows which characters can be drawn."""

    def width(self, text: str, style: Style) -> float:
        """Return the width of a text in units."""
        ...

    def can_draw(self, character: str) -> bool:
        """Return whether the character can be drawn."""
        ...

    def scaled_to_width(self, width: float) -> Ruler:
        """Return a ruler with these fonts for pictures of another width, in units."""
        ...


def shorten_text(text: str, style: Style, width: float, ruler: Ruler) -> str:
    """Return the longest beginning of the text that fits, with an ellipsis if it is cut."""
    if ruler.width(text, style) <= width:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if ruler.width(text[:middle].rstrip() + ELLIPSIS, style) <= width:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + ELLIPSIS


def fit_text(text: str, style: Style, width: float, ruler: Ruler, *, least: float = SMALLEST) -> tuple[str, Style]:
    """Return the text in the largest size that fits the width.

    If even the smallest size, `least`, is too wide, the text is shortened.
    """
    text = drawable_text(text, ruler.can_draw)
    wide = ruler.width(text, style)
    if wide <= width:
        return text, style
    size = min(style.size, int(style.size * width / wide * 10) / 10)
    while size > least and ruler.width(text, replace(style, size=size)) > width:
        size = round(size - 0.1, 1)  # steps are small, because widths do not shrink in proportion to the size
    style = replace(style, size=max(least, size))
    return shorten_text(text, style, width, ruler), style


def fit_name(name: str, style: Style, width: float, ruler: Ruler, *, least: float = SMALLEST) -> tuple[str, Style]:
    """Return a name in the largest size that fits the width, shortened if necessary.

    Unlike `fit_text` it keeps a number at the end, which distinguishes the name from others.
    """
    text, style = fit_text(name, style, width, ruler, least=least)
    head, _, number = drawable_text(name, ruler.can_draw).rpartition(" ")
    if not text.endswith(ELLIPSIS) or not head or not number.isdecimal():
        return text, style
    room = width - ruler.width(f" {number}", style)
    short = f"{shorten_text(head, style, room, ruler)} {number}"
    return (short, style) if ruler.width(short, style) <= width else (text, style)


def wrap_text(text: str, style: Style, width: float, most: int, ruler: Ruler) -> list[str]:
    """Return the text in at most `most` lines, broken between words; the last one may be too long."""
    lines: list[str] = []
    for word in drawable_text(text, ruler.can_draw).split(" "):
        if not word:
            continue
        if lines and (len(lines) >= most or ruler.width(f"{lines[-1]} {word}", style) <= width):
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines[: max(0, most)]


def text_on_baseline(
    text: str, x: float, baseline: float, style: Style, ink: Ink, *, ruler: Ruler, anchor: Anchor = "left"
) -> Text:
    """Return the text as an item on a baseline; `anchor` says whether it starts, is centred or ends at x."""
    width = ruler.width(text, style)
    left = {"left": x, "middle": x - width / 2, "right": x - width}[anchor]
    return Text(
        text, Box(left, baseline - CAP_HEIGHT * style.size, width, (CAP_HEIGHT + DESCENT) * style.size), style, ink
    )


def text_in_box(
    text: str,
    box: Box,
    style: Style,
    ink: Ink,
    *,
    ruler: Ruler,
    anchor: Anchor = "middle",
    least: float = SMALLEST,
) -> Text:
    """Return the text as an item in the box, vertically centred and fitted to its width."""
    text, style = fit_text(text, style, box.width, ruler, least=least)
    x = {"left": box.left, "middle": box.centre, "right": box.right}[anchor]
    return text_on_baseline(text, x, box.middle + CAP_HEIGHT * style.size / 2, style, ink, ruler=ruler, anchor=anchor)


@dataclass(frozen=True, slots=True)
class ChipStyle:
    """The style, colours and sign of a chip: a label with round ends."""

    style: Style
    fill: Ink
    ink: Ink
    edge: Ink | None = None
    sign: Sign | None = None
    height: float = 19.5


def chip_items(
    text: str,
    chip: ChipStyle,
    corner: tuple[float, float],
    *,
    ruler: Ruler,
    limit: float,
    from_right: bool = False,
    least: float = SMALLEST,
) -> tuple[Item, ...]:
    """Return the items of a label with round ends, at most `limit` wide.

    `corner` is its upper left corner, or with `from_right` its upper right one.
    """
    pad = chip.height * 0.34
    mark = chip.style.size if chip.sign else 0.0
    gap = chip.style.size * 0.34 if chip.sign else 0.0
    text, style = fit_text(text, chip.style, limit - 2 * pad - mark - gap, ruler, least=least)
    width = 2 * pad + mark + gap + ruler.width(text, style)
    box = Box(corner[0] - width if from_right else corner[0], corner[1], width, chip.height)
    items: list[Item] = [Plate(box, chip.height / 2, chip.fill, chip.edge)]
    if chip.sign:
        items.append(Symbol(chip.sign, Box(box.left + pad, box.middle - mark / 2, mark, mark), chip.ink))
    baseline = box.middle + CAP_HEIGHT * style.size / 2
    items.append(text_on_baseline(text, box.left + pad + mark + gap, baseline, style, chip.ink, ruler=ruler))
    return tuple(items)


def left_edge(items: Iterable[Item]) -> float:
    """Return the leftmost edge of the items."""
    return min(item.box.left for item in items)


def right_edge(items: Iterable[Item]) -> float:
    """Return the rightmost edge of the items."""
    return max(item.box.right for item in items)
