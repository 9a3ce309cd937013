"""The project's files as Git lists them, or the files of its folder if there is no checkout."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]

MADE: Final = frozenset({"build", "dist", "htmlcov", "__pycache__"})
"""Folders of generated files."""


@cache
def project_files() -> tuple[Path, ...]:
    """Return every existing file of the project that Git tracks or would track."""
    asked = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        listed = subprocess.run(asked, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    except (subprocess.CalledProcessError, FileNotFoundError):
        return _walk_files(ROOT)
    return tuple(sorted({ROOT / name for name in listed if name and (ROOT / name).is_file()}))


def _walk_files(folder: Path) -> tuple[Path, ...]:
    """Return every file of a folder, except generated ones and those of tools."""
    found: list[Path] = []
    for path in sorted(folder.iterdir()):
        if path.is_dir() and path.name not in MADE and (not path.name.startswith(".") or path.name == ".ci"):
            found += _walk_files(path)
        elif path.is_file() and path.suffix != ".pyc":
            found.append(path)
    return tuple(found)


def link_folder(source: Path, target: Path, *, excluded_name: str = "") -> None:
    """Make the folder `target` with links to everything in the folder `source`, except `excluded_name`."""
    target.mkdir(parents=True)
    for one in source.iterdir():
        if one.name not in (excluded_name, "__pycache__"):
            (target / one.name).symlink_to(one)
