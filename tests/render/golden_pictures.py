"""Golden pictures: the exact pixels of a few samples, listed for each drawing environment.

``python -m tests.render.golden_pictures`` compares. With ``--approve`` (``make golden``) it approves today's pixels and
draws the gallery again, whose pictures show what differs.
"""

from __future__ import annotations

import json
import platform
import sys
from hashlib import blake2b
from pathlib import Path

import PIL
from PIL import Image, ImageChops, features

from render.drawing.fonts import FontRuler
from render.drawing.paint_layout import draw_layout
from render.layouts import layout_of
from tests.render import gallery

FILE = Path(__file__).parent.parent / "data" / "golden.json"
NAMES = (
    "board-2", "board-4", "board-crowded", "board-6", "board-runs", "board-feet", "hand-1", "hand-15", "hand-30",
    "hand-foot", "hand-staged", "hand-runs", "hand-feet", "hand-6-alone", "hand-15-classic", "score-deal",
    "score-final", "bracket", "closing", "rating", "board-4-light", "board-4-contrast", "hand-15-large",
)  # fmt: skip
NEARLY = 64
"""Least difference in lightness (of 255) by which two pixels clearly differ; rounding makes less."""


def drawing_environment() -> str:
    """Return the versions of Pillow and FreeType and the kind of processor, on which pixels depend."""
    return f"Pillow {PIL.__version__}, FreeType {features.version('freetype2')}, {platform.machine()}"


def draw_sample(name: str) -> Image.Image:
    """Draw a picture of the gallery with the project's fonts only."""
    return draw_layout(layout_of(gallery.pictures()[name], FontRuler()))


def pixel_digest(image: Image.Image) -> str:
    """Return a digest of the image's size and exact pixels."""
    return blake2b(repr(image.size).encode() + image.tobytes(), digest_size=16).hexdigest()


def approved_digests() -> dict[str, dict[str, str]]:
    """Return the approved digests by drawing environment and name of the picture."""
    golden: dict[str, dict[str, str]] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    return golden


def write_difference(name: str, image: Image.Image, folder: Path) -> Path:
    """Write a picture, the approved one and their differences into the folder; return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    image.save(folder / f"{name}-actual.png")
    approved = gallery.FOLDER / f"{name}.png"
    if approved.exists():
        expected = Image.open(approved).convert("RGB")
        expected.save(folder / f"{name}-expected.png")
        difference_picture(expected, image).save(folder / f"{name}-difference.png")
    return folder


def difference_picture(expected: Image.Image, actual: Image.Image) -> Image.Image:
    """Return the expected picture faintly, with clear differences of the actual one in red."""
    size = (max(expected.width, actual.width), max(expected.height, actual.height))
    first, second = Image.new("RGB", size), Image.new("RGB", size)
    first.paste(expected)
    second.paste(actual)
    unlike = ImageChops.difference(first, second).convert("L").point([0] * 25 + [255] * 231)
    faint = Image.blend(first.convert("L").convert("RGB"), Image.new("RGB", size, (255, 255, 255)), 0.7)
    faint.paste((220, 0, 30), (0, 0, *size), unlike)
    return faint


def count_different_pixels(expected: Image.Image, actual: Image.Image) -> int:
    """Return the number of clearly different pixels: 0 if only rounding differs."""
    if expected.size != actual.size:
        return max(expected.width * expected.height, actual.width * actual.height)
    unlike = ImageChops.difference(expected.convert("L"), actual.convert("L"))
    return sum(unlike.histogram()[NEARLY:])


def main() -> int:
    """Compare the samples with the approved ones, or approve them; return the exit status."""
    today = {name: pixel_digest(draw_sample(name)) for name in NAMES}
    golden = approved_digests()
    changed = [name for name in NAMES if golden.get(drawing_environment(), {}).get(name) != today[name]]
    sys.stdout.write("".join(f"changed: {name}\n" for name in changed) or "all as approved\n")
    if "--approve" in sys.argv:
        golden[drawing_environment()] = today
        FILE.write_text(json.dumps(golden, indent=2, sort_keys=True) + "\n", encoding="utf-8")
        gallery.write_gallery()
        return 0
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
