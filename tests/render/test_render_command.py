"""`canasta-bot render`: a position file as a picture."""

import json
from pathlib import Path

import pytest
from PIL import Image

from bot.__main__ import main
from tests.render import samples


@pytest.fixture
def case_file(tmp_path: Path) -> Path:
    file = tmp_path / "cases.json"
    file.write_text(json.dumps([{**samples.MIDDLE, "id": "four"}, {**samples.PAIR, "id": "two"}]))
    return file


@pytest.mark.parametrize(("view", "text"), [("board", "Stock 42."), ("hand", "Your hand, 9 cards"), ("score", "total")])
def test_a_view_of_a_position_is_drawn(
    view: str, text: str, case_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.png"
    assert main(["render", str(case_file), "--view", view, "--seat", "1", "--words", "-o", str(out)]) == 0
    with Image.open(out) as image:
        assert image.size[0] == 1200
    assert text in capsys.readouterr().out


@pytest.mark.parametrize("theme", ["light", "contrast", "large"])
@pytest.mark.parametrize("view", ["board", "hand", "score", "game"])
def test_a_view_is_drawn_in_any_theme_and_deck(view: str, theme: str, case_file: Path, tmp_path: Path) -> None:
    pixels = set()
    for options in ([], ["--theme", theme], ["--theme", theme, "--deck", "two", "--order", "value"]):
        out = tmp_path / "out.png"
        assert main(["render", str(case_file), "--view", view, *options, "-o", str(out)]) == 0
        pixels.add(out.read_bytes())
    assert len(pixels) == (3 if view in ("board", "hand") else 2)


def test_one_of_several_cases_is_drawn(case_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.png"
    names = ["--names", "You,Me", "--case", "two", "--words"]
    assert main(["render", str(case_file), *names, "-o", str(out)]) == 0
    assert "Me to play." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--view", "hand", "--seat", "4"], "there is no seat 4 among 4"),
        (["--case", "none"], "holds no case 'none'"),
    ],
)
def test_an_unknown_name_in_the_arguments_is_reported(
    arguments: list[str], text: str, case_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.png"
    assert main(["render", str(case_file), *arguments, "-o", str(out)]) == 2
    assert text in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize("text", ["", "{", "[]", "3", '{"rules": "whist"}', '{"position": {"hands": {"0": "Zz"}}}'])
def test_a_file_without_a_position_is_reported(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "wrong.json"
    file.write_text(text)
    assert main(["render", str(file), "-o", str(tmp_path / "out.png")]) == 2
    assert capsys.readouterr().err.startswith("canasta-bot render: ")


def test_a_missing_file_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", str(tmp_path / "none.json"), "-o", str(tmp_path / "out.png")]) == 2
    assert "none.json" in capsys.readouterr().err
