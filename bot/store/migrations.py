"""Migrations: the numbered scripts of the schema. They are only carried out forward.

`NNNN_name.sql` is SQL; `NNNN_name.py` has a function `migrate(session)`, which reads stored texts as plain JSON and
never through the program's classes, which may change later. A stored row that it cannot read stays as it is.
"""

from __future__ import annotations

import runpy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bot.store.engines.interface import Session

SCRIPTS: Final = Path(__file__).parent / "schema"


@dataclass(frozen=True, slots=True)
class Migration:
    """A script that brings the schema to a version, carried out within a transaction."""

    version: int
    script: Path

    def apply_migration(self, session: Session) -> None:
        """Run the script in the session."""
        if self.script.suffix == ".py":
            migrate: Callable[[Session], None] = runpy.run_path(str(self.script))["migrate"]
            migrate(session)
        else:
            for statement in _split_script(self.script.read_text(encoding="utf-8")):
                session.execute(statement)


def read_migrations(folder: Path = SCRIPTS) -> tuple[Migration, ...]:
    """Return the scripts of the folder in order; `0001_name.sql` leads to version 1."""
    found = sorted(file for file in folder.iterdir() if file.suffix in (".sql", ".py"))
    return tuple(Migration(int(file.name.partition("_")[0]), file) for file in found)


def _split_script(script: str) -> Iterator[str]:
    """Split an SQL script into statements.

    A statement ends with a semicolon at the end of a line. One that makes a trigger ends with `END;` on a line of its
    own.
    """
    statement = ""
    for line in script.splitlines(keepends=True):
        if not statement.strip() and (not line.strip() or line.startswith("--")):
            continue
        statement += line
        code = line.partition("--")[0].rstrip()
        if code == "END;" or (code.endswith(";") and not statement.startswith("CREATE TRIGGER")):
            yield statement
            statement = ""
    if statement.strip():
        yield statement
