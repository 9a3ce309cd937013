"""The exact pixels of a few pictures, where this Pillow and FreeType have been approved before."""

from pathlib import Path

import pytest

from tests.render import golden

APPROVED = golden.known().get(golden.drawer(), {})


@pytest.mark.skipif(not APPROVED, reason=f"no golden pictures for {golden.drawer()}")
@pytest.mark.parametrize("name", golden.NAMES)
def test_the_picture_is_the_approved_one(name: str, tmp_path: Path) -> None:
    image = golden.picture(name)
    if APPROVED.get(name) != golden.pixels(image):
        image.save(tmp_path / f"{name}.png")
        pytest.fail(
            f"{name} looks different: {tmp_path / name}.png; if it is right: python -m tests.render.golden --approve"
        )
