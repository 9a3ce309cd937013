"""The command line reports every bad setting or file in one clear line, without a traceback.

Its exit status says so too.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.__main__ import main
from bot.store.engines.sqlite_migrations import APPLICATION_ID
from tests.render import samples

DEEP = 100_000


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("DISCORD_TOKEN", "CANASTA_DATABASE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(autouse=True)
def restored_logging() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = handlers, level


def printed_line(capsys: pytest.CaptureFixture[str]) -> str:
    """Return the printed text, which must be a single line."""
    (line,) = capsys.readouterr().err.splitlines()
    return line


@pytest.mark.parametrize("given", [["run"], ["demo"], []])
def test_a_settings_file_that_is_not_utf_8_is_reported(
    given: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".env").write_bytes("DISCORD_TOKEN=à\n".encode("latin-1"))
    assert 2 == main(given)
    assert "canasta-bot: .env is not UTF-8 text; save it as UTF-8" == printed_line(capsys)


@pytest.mark.parametrize("database", ["/", ".", "..", "folder/..", "folder"])
@pytest.mark.parametrize("command", ["run", "demo"])
def test_a_folder_given_as_database_is_reported(
    command: str, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "folder").mkdir()
    monkeypatch.setenv("CANASTA_DATABASE", database)
    monkeypatch.setenv("DISCORD_TOKEN", "none")
    assert 2 == main([command])
    assert f"canasta-bot: CANASTA_DATABASE={database!r} should be the name of a file, not of a folder" == printed_line(
        capsys
    )


@pytest.mark.parametrize("port", ["99999", "-5", "65536", "1e3", "", "٣", "9" * 5000])
def test_an_invalid_port_is_reported(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["demo", f"--port={port}"])
    assert 2 == ended.value.code
    assert "a port is a number from 0 (any free one) to 65535" in capsys.readouterr().err


def deeply_nested_file() -> str:
    return "[" * DEEP


def nested_position() -> str:
    return '{"position":' + '{"hands":' * DEEP


def case_with_deeply_nested_list() -> str:
    case: dict[str, Any] = {**samples.MIDDLE, "position": "HERE"}
    return json.dumps(case).replace('"HERE"', "[" * 900 + "]" * 900)


@pytest.mark.parametrize("made", [deeply_nested_file, nested_position, case_with_deeply_nested_list])
@pytest.mark.parametrize("command", [["render", "-o", "out.png"], ["referee"]])
def test_a_deeply_nested_file_is_reported(
    command: list[str], made: Callable[[], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "deep.json").write_text(made())
    assert 2 == main([*command, "deep.json"])
    assert printed_line(capsys).startswith(f"canasta-bot {command[0]}: deep.json")


@pytest.mark.parametrize(
    ("contents", "text"),
    [
        (b"SQLite format 3\0", "a database of this program, but damaged or cut short"),
        (b"SQLite format 3\0" + bytes(52) + APPLICATION_ID.to_bytes(4, "big") + bytes(4024), "damaged"),
        (b"this is something else" * 400, "not a database of this program"),
    ],
)
def test_an_unreadable_database_is_reported(
    contents: bytes, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "canasta-demo.db"
    file.write_bytes(contents)
    file.chmod(0o600)
    monkeypatch.setenv("CANASTA_EMOJIS", "off")
    assert 1 == main(["demo", "--no-browser"])
    assert text in printed_line(capsys)
    assert contents == file.read_bytes()
