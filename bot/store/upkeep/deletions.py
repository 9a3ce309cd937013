"""The list of deletions, a file beside the database.

People on it are deleted again after a backup was restored. A line has the instant of a deletion and a keyed hash of the
person's number, from which nobody gets the number without the key. The line with the key comes first; several lists
joined one after the other are a list again.
"""

from __future__ import annotations

import hmac
import json
import os
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bot.store.engines.interface import Session

NOTE_DELETION: Final = """
INSERT INTO deletions (at, who, key) VALUES (:at, :who, :key) ON CONFLICT (who, at) DO NOTHING
"""

KEPT: Final = 400 * 24 * 60 * 60 * 1000
"""How long a line is kept, in milliseconds; backups older than this cannot be restored."""


def deletion_list_path(database: Path) -> Path:
    """Return the path of the deletion list beside a database file or backup."""
    return database.with_name(f"{database.name}.deletions")


@dataclass(frozen=True, slots=True)
class Deletion:
    """A line of the deletion list: its instant, the keyed hash of the person's number, and the key."""

    at: int
    who: str
    key: bytes

    def is_deletion_of(self, person: int) -> bool:
        """Return whether that person was deleted."""
        return hmac.compare_digest(self.who, _hash_person(self.key, person))


def _hash_person(key: bytes, person: int) -> str:
    """Return the keyed hash of a person's id."""
    return hmac.new(key, str(person).encode(), "sha256").hexdigest()


def new_deletion(person: int, at: int, key: bytes | None) -> Deletion:
    """Return the line of a deletion, with the key of the last line if there is one."""
    used = key or os.urandom(32)
    return Deletion(at, _hash_person(used, person), used)


def store_deletions(session: Session, lines: Iterable[Deletion]) -> None:
    """Store lines of the list as rows, for a database on a server."""
    for one in lines:
        session.execute(NOTE_DELETION, {"at": one.at, "who": one.who, "key": one.key.hex()})


def stored_deletions(session: Session) -> tuple[Deletion, ...]:
    """Return the lines of the list that are stored as rows, earliest first."""
    rows = session.execute("SELECT at, who, key FROM deletions ORDER BY at, who").rows
    return tuple(Deletion(at, who, bytes.fromhex(key)) for at, who, key in rows)


def note_deletion(database: Path, person: int, at: int) -> None:
    """Add a line durably to the list; call it before the person is deleted."""
    path, key = deletion_list_path(database), None
    for _, known in _read_lines(path):
        key = known
    new: list[dict[str, object]] = []
    if key is None:
        key = os.urandom(32)
        new.append({"key": key.hex()})
    new.append({"at": at, "who": _hash_person(key, person)})
    _append_lines(path, new)


def read_deletions(*lists: Path) -> tuple[Deletion, ...]:
    """Return the lines of these lists, without lines cut short by a crash. Missing lists are skipped."""
    found = []
    for path in lists:
        for data, key in _read_lines(path):
            at, who = data.get("at"), data.get("who")
            if key is not None and isinstance(at, int) and isinstance(who, str):
                found.append(Deletion(at, who, key))
    return tuple(found)


def merge_deletion_lists(into: Path, *, others: Iterable[Path]) -> None:
    """Add to a list the lines of other lists that it lacks."""
    known = {(one.at, one.who) for one in read_deletions(into)}
    for one in read_deletions(*others):
        if (one.at, one.who) not in known:
            known.add((one.at, one.who))
            _append_lines(into, [{"key": one.key.hex()}, {"at": one.at, "who": one.who}])


def drop_old_deletion_lines(database: Path, now: int) -> None:
    """Remove lines older than `KEPT` from the list; the caller must hold the database's lock."""
    path = deletion_list_path(database)
    lines = read_deletions(path)
    if all(one.at >= now - KEPT for one in lines):
        return
    new = path.with_name(f"{path.name}.unfinished")
    new.unlink(missing_ok=True)
    for one in lines:
        if one.at >= now - KEPT:
            _append_lines(new, [{"key": one.key.hex()}, {"at": one.at, "who": one.who}])
    if not new.exists():
        _append_lines(new, [{"key": lines[-1].key.hex()}])
    new.replace(path)


def deleted_since(people: Iterable[int], lines: Collection[Deletion], *, since: int) -> tuple[int, ...]:
    """Return the people of `people` who were deleted after that instant, in the same order."""
    by_key: dict[bytes, set[str]] = {}
    for one in lines:
        if one.at > since:
            by_key.setdefault(one.key, set()).add(one.who)
    if not by_key:
        return ()
    return tuple(sorted(one for one in people if any(_hash_person(key, one) in who for key, who in by_key.items())))


def _read_lines(path: Path) -> Iterator[tuple[dict[str, object], bytes | None]]:
    """Yield each line of a list with the hash key that applies to it."""
    key = None
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return
    for line in text.splitlines():
        try:
            data = json.loads(line)
            if "key" in data:
                key = bytes.fromhex(data["key"])
        except (ValueError, TypeError):
            continue
        yield data, key


def _append_lines(path: Path, lines: Iterable[dict[str, object]]) -> None:
    """Append lines durably to a list, always starting on a new line."""
    with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600), "a+b") as file:
        if file.tell() and not _ends_with_newline(file.fileno()):
            file.write(b"\n")  # end the last line, which a crash may have cut short
        for line in lines:
            file.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


def _ends_with_newline(descriptor: int) -> bool:
    """Return whether a file that is not empty ends with a newline."""
    size = os.fstat(descriptor).st_size
    return os.pread(descriptor, 1, size - 1) == b"\n"
