"""Draw every sample in every theme into a folder, at full size and as a phone shows it.

Run ``python -m tests.render.draw_samples FOLDER [THEME…]``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path

from PIL import Image

from render.layout_items import Deck, ThemeName
from render.picture_inputs import BoardPicture, HandPicture, Picture
from render.picture_queue import PictureQueue
from tests.render import samples


def main() -> None:
    """Draw the samples into the folder that the command names."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    pictures = PictureQueue()
    for name, picture in samples_in_themes([ThemeName(theme) for theme in sys.argv[2:]] or list(ThemeName)):
        data = pictures.draw_blocking(picture)
        folder.joinpath(f"{name}.png").write_bytes(data)
        image = Image.open(BytesIO(data)).convert("RGB")
        image.resize((400, image.height // 3), Image.Resampling.LANCZOS).save(folder / f"{name}_400.png")
    pictures.close()


def samples_in_themes(themes: list[ThemeName]) -> Iterator[tuple[str, Picture]]:
    """Yield the name and picture of every sample in these themes; some also in the classic deck."""
    for theme in themes:
        for name, sample in samples.all_samples().items():
            picture = samples.with_theme(sample, theme)
            yield f"{theme}-{name}", picture
            if name in ("hand_15", "hand_30", "board_4") and isinstance(picture, HandPicture | BoardPicture):
                yield f"{theme}-classic-{name}", replace(picture, deck=Deck.CLASSIC)


if __name__ == "__main__":
    main()
