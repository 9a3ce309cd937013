"""Archives: the rows of a table or tournament that is over, compressed into one row.

`bot.store.upkeep.table_archives` says what an archive of a table holds, `tournament_archives` the same for a
tournament.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeAlias, TypeVar

from bot.store.engines.interface import EVERY_SERVER, Row, Session, Shards
from bot.store.errors import UndecodableData

KEPT: Final = 7 * 24 * 60 * 60 * 1000
"""How long a table or tournament stays unpacked after its last change, in milliseconds."""

LEVEL: Final = 6

PackingPlace: TypeAlias = tuple[int, int]
"""A place in the order of packing: the instant of a subject's last change, and its number."""

BEGINNING: Final[PackingPlace] = (0, 0)

Contents = TypeVar("Contents")


def compress(data: object) -> tuple[bytes, str]:
    """Return the data as compressed JSON, and the hash of that JSON. Raises `UnicodeEncodeError`."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode()
    return zlib.compress(text, LEVEL), hashlib.sha256(text).hexdigest()


def decompress(packed: bytes, sha256: str) -> Any:
    """Return the data that `compress` has compressed. Raises `UndecodableData` for a damaged archive."""
    try:
        text = zlib.decompress(packed)
        if hashlib.sha256(text).hexdigest() == sha256:
            return json.loads(text)
    except (zlib.error, ValueError, TypeError):
        pass
    raise UndecodableData("archive: damaged")


def instants_to_differences(rows: Iterable[Sequence[Any]]) -> list[list[Any]]:
    """Return the rows of a log, each with its instant replaced by the difference to the row before.

    The instant is the last value of a row.
    """
    before, result = 0, []
    for *values, at in rows:
        result.append([*values, at - before])
        before = at
    return result


def differences_to_instants(rows: Iterable[Sequence[Any]]) -> list[list[Any]]:
    """Return the rows with instants again: the inverse of `instants_to_differences`."""
    at, result = 0, []
    for *values, difference in rows:
        at += difference
        result.append([*values, at])
    return result


@dataclass(frozen=True, slots=True)
class ArchiveKind(Generic[Contents]):
    """A kind of archive: its database table, that table's column of numbers, and its compressed form.

    `to_data` converts the contents to data for JSON, and `from_data` converts them back.
    """

    table: str
    column: str
    to_data: Callable[[Contents], object]
    from_data: Callable[[Any], Contents]

    def pack(self, contents: Contents) -> tuple[bytes, str]:
        """Return the contents compressed, and the hash of their JSON. Raises `UnicodeEncodeError`."""
        return compress(self.to_data(contents))

    def unpack(self, packed: bytes, sha256: str) -> Contents:
        """Return the contents that `pack` has packed. Raises `UndecodableData` for a damaged archive."""
        data = decompress(packed, sha256)
        try:
            return self.from_data(data)
        except (ValueError, TypeError, KeyError):
            raise UndecodableData("archive: damaged") from None

    def insert(self, session: Session, number: int, contents: Contents, **columns: int) -> bool:
        """Store an archive if unpacking restores its contents exactly; return whether it was stored.

        `number` is that of the table or tournament.
        """
        try:
            packed, sha256 = self.pack(contents)
        except UnicodeEncodeError:
            return False
        if self.unpack(packed, sha256) != contents:
            return False
        values = {self.column: number, **columns, "packed": packed, "sha256": sha256}
        names, places = ", ".join(values), ", ".join(f":{name}" for name in values)
        session.execute(f"INSERT INTO {self.table} ({names}) VALUES ({places})", values)  # noqa: S608 - no value in it
        return True

    def remove(self, session: Session, number: int) -> Contents | None:
        """Delete an archive and return its contents; None if there is none. Raises `UndecodableData`."""
        rows = self._rows(session, number)
        if not rows:
            return None
        contents = self.unpack(rows[0]["packed"], rows[0]["sha256"])
        session.execute(f"DELETE FROM {self.table} WHERE {self.column} = :number", {"number": number})  # noqa: S608 - no value in it
        return contents

    def rewrite(self, session: Session, change: Callable[[Contents], Contents]) -> int:
        """Change the texts of all archives, for migrations; return how many archives changed.

        A damaged archive stays as it is.
        """
        changed = 0
        for (number,) in session.execute(f"SELECT {self.column} FROM {self.table} ORDER BY 1").rows:  # noqa: S608 - no value in it
            (row,) = self._rows(session, number)
            try:
                before = self.unpack(row["packed"], row["sha256"])
                after = change(before)
            except (UndecodableData, ValueError, TypeError, KeyError):
                continue
            if after != before:
                packed, sha256 = self.pack(after)
                session.execute(
                    f"UPDATE {self.table} SET packed = :packed, sha256 = :sha256 WHERE {self.column} = :number",  # noqa: S608 - no value in it
                    {"number": number, "packed": packed, "sha256": sha256},
                )
                changed += 1
        return changed

    def _rows(self, session: Session, number: int) -> Sequence[Row]:
        sql = f"SELECT packed, sha256 FROM {self.table} WHERE {self.column} = :number"  # noqa: S608 - no value in it
        return session.execute(sql, {"number": number}).rows


@dataclass(frozen=True, slots=True)
class DueArchives:
    """The tables or the tournaments that are to be archived now, and the function that archives one.

    `query` selects the number of each and the instant of its last change, earliest first; its parameters are `:before`,
    `:limit`, and the place `:at`, `:id` after which it begins.
    """

    query: str
    pack_one: Callable[[Session, int], bool]

    def pack(
        self, session: Session, *, before: int, limit: int, after: PackingPlace, shards: Shards = EVERY_SERVER
    ) -> tuple[int, PackingPlace]:
        """Archive at most `limit` tables or tournaments unchanged since `before`, the longest unchanged first.

        Begin after the place `after`. Return the number archived and the place reached, which is `after` if nothing
        more is due. One that cannot be archived is skipped.
        """
        values = {"before": before, "limit": limit, "at": after[0], "id": after[1], **shards.parameters}
        packed = 0
        for number, at in session.execute(self.query, values).rows:
            packed += self.pack_one(session, number)
            after = at, number
        return packed, after
