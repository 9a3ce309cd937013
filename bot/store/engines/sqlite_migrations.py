"""Migrations of a file.

`PRAGMA user_version` is the number of the last script carried out. Each runs in one transaction together with that
number, so a file is always at exactly one version. An existing file is copied before it is changed.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import Final

from bot.store.engines.sqlite_connection import Session
from bot.store.engines.sqlite_copies import require_disk_space, size_with_log
from bot.store.errors import EarlierDatabase, InvalidWrite, NewerDatabase, NotOurDatabase, StorageFailed
from bot.store.migrations import Migration

_log = logging.getLogger("canasta.store")

APPLICATION_ID: Final = 0x43_4E_53_31
"""The mark in every file of this program ("CNS1"), which protects other programs' databases."""

EARLIER_ID: Final = 0x43_4E_53_54
"""The mark in files from before version 1."""

_MAGIC: Final = b"SQLite format 3\0"
_APPLICATION_AT: Final = 68
"""Offset of the application id in an SQLite file: four bytes, most significant first."""


def migrate(session: Session, path: Path, steps: tuple[Migration, ...]) -> Path | None:
    """Bring the file to the last version; return the path of the copy made before, or None.

    Raises `EarlierDatabase`, `NewerDatabase`, `NotOurDatabase`; then the file is as it was.
    """
    version = _version_of_file(session, path)
    known = steps[-1].version
    if version > known:
        raise NewerDatabase(path, found=version, known=known)
    if version == known:
        return None
    copied = None
    if version:
        require_disk_space(path.parent, size_with_log(path))
        _log.info("the database is brought from version %d to %d; it is copied first", version, known)
        copied = _copy_file(session, path, version)
    with session.log_progress(_log, "the database is being brought up to date"):
        for step in steps:
            if step.version > version:
                _carry_out_step(session, step)
    return copied


def has_our_header(path: Path) -> bool:
    """Return whether a file that SQLite cannot read begins like one of this program."""
    with path.open("rb") as file:
        head = file.read(_APPLICATION_AT + 4)
    if len(head) < _APPLICATION_AT + 4:
        return bool(head) and _MAGIC.startswith(head[: len(_MAGIC)])
    return head.startswith(_MAGIC) and int.from_bytes(head[_APPLICATION_AT:], "big") == APPLICATION_ID


def is_only_journal_left(path: Path) -> bool:
    """Return whether only the journal of a database is left, which SQLite would discard."""
    journal = path.with_name(f"{path.name}-wal")
    return path.is_file() and not path.stat().st_size and journal.is_file() and journal.stat().st_size > 0


def _version_of_file(session: Session, path: Path) -> int:
    """Return the version of the file; 0 for an empty one."""
    version = _fetch_number(session, "PRAGMA user_version")
    application = _fetch_number(session, "PRAGMA application_id")
    is_empty = _fetch_number(session, "SELECT count(*) FROM sqlite_master") == 0
    if application == EARLIER_ID:
        raise EarlierDatabase(path)
    if application == APPLICATION_ID or (is_empty and (version, application) == (0, 0)):
        return version
    raise NotOurDatabase(path)


def _fetch_number(session: Session, sql: str) -> int:
    """Return the number in the first column of the first row."""
    return int(session.execute(sql).rows[0][0])


def _carry_out_step(session: Session, step: Migration) -> None:
    """Carry out a migration and store its number, or do neither.

    If it fails, nothing is committed, and the connection is closed.
    """
    session.execute("BEGIN IMMEDIATE")
    try:
        step.apply_migration(session)
    except InvalidWrite as refusal:
        raise StorageFailed(f"{step.script.name} cannot be carried out: {refusal}") from None
    session.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    session.execute(f"PRAGMA user_version = {step.version}")
    session.execute("COMMIT")


def _copy_file(session: Session, path: Path, version: int) -> Path:
    """Copy the whole file, readable by its owner only, because it holds hands and seeds."""
    copy = _unused_copy_path(path, version)
    unfinished = copy.with_name(f"{copy.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    session.execute("VACUUM INTO :path", {"path": str(unfinished)})
    with unfinished.open("r+b") as file:
        os.fsync(file.fileno())
    unfinished.rename(copy)
    return copy


def _unused_copy_path(path: Path, version: int) -> Path:
    """Return a path next to the file that no copy has yet."""
    name = path.with_name(f"{path.name}.version-{version}")
    number = 1
    while name.exists():
        number += 1
        name = path.with_name(f"{path.name}.version-{version}.{number}")
    return name
