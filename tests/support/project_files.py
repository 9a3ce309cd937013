"""The files of the project as Git lists them, or those in its folder if there is no checkout."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]

MADE: Final = frozenset({"build", "dist", "htmlcov", "__pycache__"})
"""Folders that are made and not written."""


@cache
def project_files() -> tuple[Path, ...]:
    """Every file of the project that is there: those that Git knows, or would know."""
    asked = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        listed = subprocess.run(asked, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    except (subprocess.CalledProcessError, FileNotFoundError):
        return _standing(ROOT)
    return tuple(sorted({ROOT / name for name in listed if name and (ROOT / name).is_file()}))


def _standing(folder: Path) -> tuple[Path, ...]:
    """Every file of a folder, but those that are made and those of tools."""
    found: list[Path] = []
    for path in sorted(folder.iterdir()):
        if path.is_dir() and path.name not in MADE and (not path.name.startswith(".") or path.name == ".ci"):
            found += _standing(path)
        elif path.is_file() and path.suffix != ".pyc":
            found.append(path)
    return tuple(found)
