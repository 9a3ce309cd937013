"""Runs the command-line tools for bot hosts in this process."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot.__main__ import main


def run_and_read_report(capsys: pytest.CaptureFixture[str], path: Path | str, *arguments: object) -> dict[str, Any]:
    """Run a host's command-line tool on that database, and return the report that it prints as JSON."""
    capsys.readouterr()
    status = main([*map(str, arguments), "--database", str(path), "--json"])
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert status == report["status"]
    return report
