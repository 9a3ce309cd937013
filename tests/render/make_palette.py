"""Choose the 256 colours of all pictures anew: ``python -m tests.render.make_palette``.

Flat colours of themes and cards keep their places, so that they are drawn as they are; the rest is chosen by
k-means over the samples. Golden pictures do not change by this: their pixels are compared before the
palette is applied.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from PIL import Image

import render
from render.draw import draw
from render.encode import COLOURS
from render.layout import layout_of
from render.text import FontRuler
from render.theme import CARD_COLOURS, DARK, Colour, bucket
from tests.render import samples

SIDE = 512


def main() -> None:
    """Write the palette file."""
    fixed = list(dict.fromkeys([*DARK.fixed_colours(), *CARD_COLOURS]))
    buckets = {bucket(colour) for colour in fixed}
    counts: Counter[Colour] = Counter()
    ruler = FontRuler()
    for picture in (samples.boards() | samples.hands() | samples.scores()).values():
        image = draw(layout_of(picture, ruler), DARK)
        for count, colour in image.getcolors(1 << 24) or []:
            if isinstance(colour, tuple) and bucket((colour[0], colour[1], colour[2])) not in buckets:
                counts[colour[0], colour[1], colour[2]] += count
    chosen = fixed + chosen_colours(counts, COLOURS - len(fixed))
    folder = Path(render.__file__).parent / "assets"
    folder.joinpath("palette.txt").write_text(
        "".join(f"#{red:02x}{green:02x}{blue:02x}\n" for red, green, blue in chosen), encoding="ascii"
    )


def chosen_colours(counts: Counter[Colour], number: int) -> list[Colour]:
    """That many colours near all of these; rare colours count for more than their share."""
    sample = Image.new("RGB", (SIDE, SIDE))
    weights = {colour: count**0.6 for colour, count in counts.items()}
    share = SIDE * SIDE / sum(weights.values())
    pixels = [colour for colour, weight in weights.items() for _ in range(max(1, round(weight * share)))]
    pixels = (pixels * 2)[: SIDE * SIDE] if len(pixels) < SIDE * SIDE else pixels[: SIDE * SIDE]
    sample.putdata(pixels)
    palette = sample.quantize(number, method=Image.Quantize.MEDIANCUT, kmeans=4).getpalette() or []
    triples = [(palette[i], palette[i + 1], palette[i + 2]) for i in range(0, 3 * number, 3)]
    return list(dict.fromkeys(triples))


if __name__ == "__main__":
    main()
