"""Conventions that every file follows, as CONTRIBUTING.md says."""

import argparse
import importlib
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import discord
import pytest

from bot.__main__ import COMMANDS, Command, main
from cogs.admin import permission_check
from cogs.shared.discord_api import table_places
from tests.conftest import LOOKS_INTO_FILES, UNTRACED, WAITING
from tests.support.project_files import ROOT, project_files

THIS = Path(__file__).name
TEXT = {".py", ".md", ".toml", ".txt", ".json", ".sql", ".yml", ".yaml", ".cfg", ".example", ""}


FILES = [file for file in project_files() if file.suffix in TEXT and file.name != THIS]
PYTHON = [file for file in FILES if file.suffix == ".py"]


@cache
def text_of(file: Path) -> str:
    """Return the text of a file, which several tests read."""
    return file.read_text()


def find_offences(files: list[Path], pattern: str) -> list[str]:
    """Return the lines in which the pattern is found; only files in which it is found at all are read line by line."""
    found = re.compile(pattern)
    return [
        f"{file.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for file in files
        if found.search(text_of(file))
        for number, line in enumerate(text_of(file).splitlines(), 1)
        if found.search(line)
    ]


def test_no_file_has_a_note_of_work_to_be_done() -> None:
    assert not find_offences(PYTHON, r"\b(TODO|FIXME|XXX|HACK)\b|raise NotImplemented")


def test_no_test_uses_mock_objects() -> None:
    assert not find_offences(PYTHON, r"unittest\.mock|\bfrom unittest import mock|MagicMock|AsyncMock")


def test_the_lists_of_tests_by_name_are_up_to_date() -> None:
    """Entries for renamed files and names would no longer do anything, without a failure."""
    modules = [file for file in PYTHON if file.name.startswith("test_")]
    assert set() == UNTRACED - {file.stem for file in modules}
    assert set() == frozenset[str]().union(*WAITING) - {file.parent.name for file in modules}
    stored = [text_of(file) for file in modules if file.relative_to(ROOT).parts[1] in folders_with_second_suite()]
    assert [] == [one for one in LOOKS_INTO_FILES if not any(re.search(one, text) for text in stored)]


def folders_with_second_suite() -> list[str]:
    """Return the folders of tests that `make test` runs once more on PostgreSQL, without those marked `file`."""
    found = re.search(
        r"^ON_POSTGRES := \$\(addprefix tests/,([\w ]+)\)$", (ROOT / "Makefile").read_text(), re.MULTILINE
    )
    assert found is not None
    return found[1].split()


def test_no_text_of_an_exception_is_logged() -> None:
    program = [file for file in PYTHON if file.relative_to(ROOT).parts[0] != "tests"]
    assert not find_offences(program, r"\.exception\(\"|\.exception\(f|exc_info=|print_exc|format_exc|formatException")


def test_every_ignored_lint_rule_is_named() -> None:
    assert not find_offences(
        PYTHON, r"#\s*noqa(?!:)|#\s*type:\s*ignore(?!\[)|#\s*(mypy|ruff): ignore-errors|#\s*pragma: no cover"
    )


def test_no_path_of_a_machine_is_in_a_file() -> None:
    assert not find_offences(FILES, r"(?<![\w.$}/])/(home|Users|root|work|opt|tmp)/\w|[A-Z]:\\\\?Users")


def test_no_address_of_a_package_index_is_in_a_file() -> None:
    assert not find_offences(
        FILES, r"(?i)--(extra-)?index-url\s+\S+:|--find-links|--trusted-host|file://|pypi\.org/simple"
    )


def test_every_pin_has_a_version_and_hashes() -> None:
    for file in sorted((ROOT / "requirements").glob("*.txt")):
        logical = file.read_text().replace("\\\n", " ").splitlines()
        pins = [line for line in logical if line and not line.lstrip().startswith("#")]
        assert pins
        assert not [line for line in pins if "==" not in line or "--hash=sha256:" not in line], file.name


def test_files_are_short() -> None:
    long = {file.name: lines for file in PYTHON if (lines := len(file.read_text().splitlines())) >= 600}
    assert long == {}


def test_text_ends_in_one_newline_and_has_unix_line_ends() -> None:
    wrong = [
        str(file.relative_to(ROOT))
        for file in FILES
        if (text := file.read_bytes()) and (not text.endswith(b"\n") or text.endswith(b"\n\n") or b"\r" in text)
    ]
    assert wrong == []


def test_links_in_the_documents_lead_somewhere() -> None:
    for file in FILES:
        if file.suffix == ".md":
            targets = re.findall(r"\]\((?!https?://|#)([^)#\s]+)", file.read_text())
            assert [] == [target for target in targets if not (file.parent / target).exists()], file


def test_the_invitation_link_asks_for_the_permissions_that_tables_need() -> None:
    asked = re.search(r"&permissions=(\d+)", (ROOT / "README.md").read_text())
    assert asked is not None
    needed = {
        *table_places.needed_permissions(thread=False),
        *table_places.needed_permissions(thread=True),
        *permission_check.NEEDED,
        *permission_check.IN_SERVER,
    }
    assert discord.Permissions(**dict.fromkeys(needed, True)).value == int(asked[1])


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_can_be_carried_out(command: Command) -> None:
    module = importlib.import_module(command.module)
    parser = argparse.ArgumentParser()
    module.add_arguments(parser)
    assert callable(module.execute)


def test_help_loads_no_command() -> None:
    script = """
import sys
from bot.__main__ import main
try:
    main(["--help"])
finally:
    print(*sys.modules, file=sys.stderr)
"""
    shown = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True, cwd=ROOT, timeout=60
    )
    assert all(command.name in shown.stdout for command in COMMANDS)
    assert not {command.module for command in COMMANDS} & set(shown.stderr.split())


def test_a_command_that_does_not_exist_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["shuffle"])
    assert caught.value.code == 2
    assert "invalid choice: 'shuffle'" in capsys.readouterr().err


def test_wrong_settings_are_reported_and_nothing_starts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CANASTA_LOBBY_HOURS", "soon")
    assert main([]) == 2
    assert "CANASTA_LOBBY_HOURS='soon' should be a number from 1 to 720" in capsys.readouterr().err


def test_a_typing_error_in_a_setting_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CANASTA_DATABSE", "here.db")
    with pytest.raises(SystemExit):
        main(["--version"])
    assert "CANASTA_DATABSE is no setting of ours" in capsys.readouterr().err
