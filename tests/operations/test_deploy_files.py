"""Files that a host installs: systemd accepts the units, and their settings are right."""

from __future__ import annotations

import re
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from bot.config import SettingsError, load_settings
from bot.exit_codes import ExitCode
from tests.support.project_files import ROOT

UNITS = sorted((ROOT / "deploy").glob("*.[st]*"))


def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd-analyze is not installed (Debian: systemd)")
    units = []
    for unit in UNITS:
        # on this machine the program is not installed at the unit's path
        text = re.sub(r"^(Exec\w+=)/srv/\S+", rf"\1{shutil.which('true')}", unit.read_text(), flags=re.MULTILINE)
        units.append(tmp_path / unit.name)
        units[-1].write_text(text)
    told = subprocess.run([program, "verify", *units], capture_output=True, text=True, check=False)
    ours = [line for line in told.stderr.splitlines() if "canasta" in line]
    assert [] == ours


@pytest.mark.parametrize("name", ["canasta-bot.service", "canasta@.service"])
def test_systemd_does_not_restart_a_unit_after_errors_that_a_person_must_fix(name: str) -> None:
    text = (ROOT / "deploy" / name).read_text()
    ours = f"{ExitCode.SETTINGS} {ExitCode.TOKEN} {ExitCode.FILE}"
    assert f"RestartPreventExitStatus={ours} EXEC CREDENTIALS\n" in text


def test_a_command_of_the_host_runs_as_the_user_of_the_unit(tmp_path: Path) -> None:
    instead = tmp_path / "systemd-run"
    instead.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    instead.chmod(0o755)
    command = [str(ROOT / "deploy" / "canasta-command"), "repair", "table", "42", "--yes"]
    environment = {"PATH": f"{tmp_path}:/usr/bin:/bin", "CANASTA_ALIVE": "1.alive"}
    given = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.splitlines()
    unit = (ROOT / "deploy" / "canasta-bot.service").read_text()
    properties = [text for before, text in pairwise(given) if before == "-p"]
    assert [] == [text for text in properties if "=pgpass:" not in text and text not in unit.replace("%S", "/var/lib")]
    assert "CANASTA_ALIVE=1.alive" in given
    program = re.search(r"^ExecStart=(\S+)", unit, re.MULTILINE)
    assert program is not None
    assert [program[1], *command[1:]] == given[-5:]


def test_an_unreadable_token_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="DISCORD_TOKEN_FILE cannot be read: File name too long"):
        load_settings({"DISCORD_TOKEN_FILE": str(tmp_path / ("token" * 100))})


@pytest.mark.parametrize(
    ("base", "status"),
    [("", 1), ("python:3.11-slim-bookworm", 1), (f"python:3.11-slim-bookworm@sha256:{'0' * 64}", 0)],
)
def test_an_image_is_built_only_on_a_base_with_its_digest(base: str, status: int) -> None:
    lines = (ROOT / "Dockerfile").read_text("utf-8").splitlines()
    assert "ARG BASE" in lines
    (check,) = (line.removeprefix("RUN ") for line in lines if line.startswith("RUN case"))
    done = subprocess.run(["/bin/sh", "-c", check], env={"BASE": base}, check=False, capture_output=True)
    assert status == done.returncode
    assert "BASE: ${BASE_IMAGE:?" in (ROOT / "compose.yaml").read_text("utf-8")


def test_every_file_that_an_image_copies_is_sent_to_its_build() -> None:
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")}
    lines = (ROOT / "Dockerfile").read_text("utf-8").splitlines()
    copied = [file for line in lines if re.match(r"COPY (?!--from)", line) for file in line.split()[1:-1]]
    packages = {file.name for file in (ROOT / "requirements").glob("*.txt")} & {"runtime.txt", "postgres.txt"}
    named = {file.replace("${PACKAGES}.txt", name) for file in copied for name in packages}
    assert len(named) > len(copied)
    assert set() == {file for file in named if file not in kept or not (ROOT / file).exists()}


def test_the_token_may_be_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("secret.token\n")
    assert "secret.token" == load_settings({"DISCORD_TOKEN_FILE": str(tmp_path / "token")}).discord_token
    both = {"DISCORD_TOKEN_FILE": str(tmp_path / "token"), "DISCORD_TOKEN": "mine"}
    assert "mine" == load_settings(both).discord_token
    with pytest.raises(SettingsError, match="DISCORD_TOKEN_FILE cannot be read: No such file"):
        load_settings({"DISCORD_TOKEN_FILE": str(tmp_path / "missing")})


@pytest.mark.parametrize("name", ["CANASTA_PRIVACY_URL", "CANASTA_TERMS_URL"])
def test_addresses_of_web_pages_in_the_settings_are_checked(name: str) -> None:
    assert "https://example.org/p" in str(load_settings({name: "https://example.org/p"}))
    for wrong in ("http://example.org", "example.org", "https://example.org/) [x"):
        with pytest.raises(SettingsError):
            load_settings({name: wrong})
