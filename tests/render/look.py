"""Draw every sample into a folder, at full size and as a phone shows it: ``python -m tests.render.look FOLDER``."""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path

from PIL import Image

from render.pictures import Pictures
from tests.render import samples


def main() -> None:
    """Write the pictures."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    pictures = Pictures()
    for name, picture in (samples.boards() | samples.hands() | samples.scores()).items():
        data = pictures.picture(picture)
        folder.joinpath(f"{name}.png").write_bytes(data)
        image = Image.open(BytesIO(data)).convert("RGB")
        image.resize((400, image.height // 3), Image.Resampling.LANCZOS).save(folder / f"{name}_400.png")
    pictures.close()


if __name__ == "__main__":
    main()
