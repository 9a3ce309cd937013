"""Choose the 256 colours of every palette again: ``python -m tests.render.make_palette``.

Flat colours of a theme and of the cards are always in it, so that they are drawn as they are; the rest is chosen by
k-means over the samples. Golden pictures do not change by this: their pixels are compared before the palette is
applied.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from PIL import Image

import render
from render.colour_themes import BLACK, LARGE, THEMES, Colour, Theme, round_to_six_bits
from render.drawing.fonts import FontRuler
from render.drawing.paint_layout import draw_layout
from render.drawing.png import COLOURS
from render.layout_items import Deck
from render.layouts import layout_of
from render.picture_inputs import HandPicture, Picture
from tests.render import samples

SIDE = 512


def main() -> None:
    """Write the palette files."""
    for theme in {theme.palette: theme for theme in THEMES.values() if theme is not LARGE}.values():
        chosen = palette_of(theme)
        path = Path(render.__file__).parent / "assets" / f"palette-{theme.palette}.txt"
        path.write_text("".join(f"#{red:02x}{green:02x}{blue:02x}\n" for red, green, blue in chosen), encoding="ascii")


def palette_of(theme: Theme) -> list[Colour]:
    """Return the theme's palette: its fixed colours, and those that fit its pictures best."""
    fixed = list(dict.fromkeys([BLACK, *theme.fixed_colours()]))  # encoding needs black to come first
    buckets = {round_to_six_bits(colour) for colour in fixed}
    counts: Counter[Colour] = Counter()
    ruler = FontRuler()
    for picture in pictures():
        image = draw_layout(layout_of(samples.with_theme(picture, theme.name), ruler))
        for count, colour in image.getcolors(1 << 24) or []:
            if isinstance(colour, tuple) and round_to_six_bits((colour[0], colour[1], colour[2])) not in buckets:
                counts[colour[0], colour[1], colour[2]] += count
    chosen = chosen_colours(counts, COLOURS - len(fixed))
    return fixed + [colour for colour in chosen if not any(can_replace_flat_colour(colour, flat) for flat in fixed)]


def can_replace_flat_colour(colour: Colour, flat: Colour) -> bool:
    """Return whether Pillow could use the colour in place of that flat colour.

    Pillow takes the colour nearest to the corner of a bucket of colours.
    """
    corner = (flat[0] & ~3, flat[1] & ~3, flat[2] & ~3)
    return squared_distance(colour, corner) <= squared_distance(flat, corner) or round_to_six_bits(
        colour
    ) == round_to_six_bits(flat)


def squared_distance(first: Colour, second: Colour) -> int:
    """Return the squared distance of two colours."""
    return sum((a - b) ** 2 for a, b in zip(first, second, strict=True))


def pictures() -> Iterator[Picture]:
    """Yield the pictures from which the palette is chosen: all samples, with hands in both decks."""
    for picture in samples.all_samples().values():
        yield picture
        if isinstance(picture, HandPicture):
            yield replace(picture, deck=Deck.CLASSIC)


def chosen_colours(counts: Counter[Colour], colour_count: int) -> list[Colour]:
    """Return at most `colour_count` colours near the counted ones; rare colours count more than their share."""
    sample = Image.new("RGB", (SIDE, SIDE))
    weights = {colour: count**0.6 for colour, count in counts.items()}
    share = SIDE * SIDE / sum(weights.values())
    pixels = [colour for colour, weight in weights.items() for _ in range(max(1, round(weight * share)))]
    pixels = (pixels * 2)[: SIDE * SIDE] if len(pixels) < SIDE * SIDE else pixels[: SIDE * SIDE]
    sample.putdata(pixels)
    palette = sample.quantize(colour_count, method=Image.Quantize.MEDIANCUT, kmeans=4).getpalette() or []
    triples = [(palette[i], palette[i + 1], palette[i + 2]) for i in range(0, len(palette) - 2, 3)][:colour_count]
    return list(dict.fromkeys(triples))


if __name__ == "__main__":
    main()
