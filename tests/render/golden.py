"""Golden pictures: the exact pixels of a few samples, by what draws them.

``python -m tests.render.golden`` compares, ``python -m tests.render.golden --approve`` takes today's pixels as right.
Look at them first: ``python -m tests.render.look FOLDER``.
"""

from __future__ import annotations

import json
import platform
import sys
from hashlib import blake2b
from pathlib import Path

import PIL
from PIL import Image, features

from render.draw import draw
from render.layout import layout_of
from render.text import FontRuler
from render.theme import DARK
from tests.render import samples

FILE = Path(__file__).parent.parent / "data" / "golden.json"
NAMES = (
    "board_2", "board_4", "board_start", "board_crowded", "hand_1", "hand_11", "hand_15", "hand_30", "hand_staged",
    "score_3", "score_final",
)  # fmt: skip


def drawer() -> str:
    """What the pixels depend on: Pillow, FreeType and the kind of processor."""
    return f"Pillow {PIL.__version__}, FreeType {features.version('freetype2')}, {platform.machine()}"


def picture(name: str) -> Image.Image:
    """The sample as it is drawn today."""
    return draw(layout_of((samples.boards() | samples.hands() | samples.scores())[name], FontRuler()), DARK)


def pixels(image: Image.Image) -> str:
    """Its exact pixels, and size, in short."""
    return blake2b(repr(image.size).encode() + image.tobytes(), digest_size=16).hexdigest()


def known() -> dict[str, dict[str, str]]:
    """What has been approved, by drawer and name."""
    golden: dict[str, dict[str, str]] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    return golden


def main() -> int:
    """Compare or approve."""
    today = {name: pixels(picture(name)) for name in NAMES}
    golden = known()
    changed = [name for name in NAMES if golden.get(drawer(), {}).get(name) != today[name]]
    sys.stdout.write("".join(f"changed: {name}\n" for name in changed) or "all as approved\n")
    if "--approve" in sys.argv:
        golden[drawer()] = today
        FILE.write_text(json.dumps(golden, indent=2, sort_keys=True) + "\n", encoding="utf-8")
        return 0
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
