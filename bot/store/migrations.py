"""Migrations: numbered scripts in `schema`, carried out forward only.

`PRAGMA user_version` is the number of the last script carried out. Each runs in one transaction together with that
number, so a file is always at one version exactly. An existing file is copied before it is changed.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import aiosqlite

from bot.store.errors import NewerDatabase, NotOurDatabase

SCHEMA: Final = Path(__file__).parent / "schema"

APPLICATION_ID: Final = 0x43_4E_53_54
"""Written into every file of ours ("CNST"), so that no other program's database is ever changed."""


_MAGIC: Final = b"SQLite format 3\0"
_APPLICATION_AT: Final = 68
"""Where in a file of SQLite the application's id stands, four bytes, most significant first."""


@dataclass(frozen=True, slots=True)
class Migration:
    """A script and the version that it leads to."""

    version: int
    script: str


def migrations(folder: Path = SCHEMA) -> tuple[Migration, ...]:
    """The scripts in order; `0001_name.sql` leads to version 1."""
    found = sorted(folder.glob("*.sql"))
    return tuple(Migration(int(file.name.partition("_")[0]), file.read_text(encoding="utf-8")) for file in found)


async def migrate(connection: aiosqlite.Connection, path: Path, steps: tuple[Migration, ...]) -> Path | None:
    """Bring the file to the last version; the path of the copy made before, if one was.

    Raises `NewerDatabase`, `NotOurDatabase`; then the file is as it was.
    """
    version = await _version(connection, path)
    known = steps[-1].version
    if version > known:
        raise NewerDatabase(path, found=version, known=known)
    copied = await _copy(connection, path, version) if 0 < version < known else None
    for step in steps:
        if step.version > version:
            await _carry_out(connection, step)
    return copied


def is_ours(path: Path) -> bool:
    """Whether a file that SQLite cannot read begins as one of this program does, as far as it goes."""
    with path.open("rb") as file:
        head = file.read(_APPLICATION_AT + 4)
    if len(head) < _APPLICATION_AT + 4:
        return bool(head) and _MAGIC.startswith(head[: len(_MAGIC)])
    return head.startswith(_MAGIC) and int.from_bytes(head[_APPLICATION_AT:], "big") == APPLICATION_ID


def was_emptied(path: Path) -> bool:
    """Whether nothing is left of a database but its journal, which SQLite would throw away to begin anew."""
    journal = path.with_name(f"{path.name}-wal")
    return path.is_file() and not path.stat().st_size and journal.is_file() and journal.stat().st_size > 0


async def _version(connection: aiosqlite.Connection, path: Path) -> int:
    """The file's version, 0 for an empty one."""
    version = await _number(connection, "PRAGMA user_version")
    application = await _number(connection, "PRAGMA application_id")
    is_empty = await _number(connection, "SELECT count(*) FROM sqlite_master") == 0
    if application == APPLICATION_ID or (is_empty and (version, application) == (0, 0)):
        return version
    raise NotOurDatabase(path)


async def _number(connection: aiosqlite.Connection, sql: str) -> int:
    (row,) = await connection.execute_fetchall(sql)
    return int(row[0])


async def _carry_out(connection: aiosqlite.Connection, step: Migration) -> None:
    """All of it or nothing: `executescript` itself would commit before it begins, hence the script's own BEGIN."""
    marks = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {step.version};"
    try:
        await connection.executescript(f"BEGIN IMMEDIATE;\n{step.script}\n{marks}\nCOMMIT;")
    finally:
        if connection.in_transaction:
            await connection.execute("ROLLBACK")


async def _copy(connection: aiosqlite.Connection, path: Path, version: int) -> Path:
    """A whole copy beside the file, readable by its owner only: it holds hands and seeds."""
    copy = _free_name(path, version)
    unfinished = copy.with_name(f"{copy.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    await connection.execute("VACUUM INTO :path", {"path": str(unfinished)})
    _synchronise(unfinished)
    unfinished.rename(copy)
    return copy


def _free_name(path: Path, version: int) -> Path:
    name = path.with_name(f"{path.name}.version-{version}")
    number = 1
    while name.exists():
        number += 1
        name = path.with_name(f"{path.name}.version-{version}.{number}")
    return name


def _synchronise(file: Path) -> None:
    descriptor = os.open(file, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
