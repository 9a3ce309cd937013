"""Archives of subjects that are over, such as tables: compression, the order of packing, and changes by migrations.

What is packed of a table is in `bot.store.upkeep.table_archives`, of a tournament in `tournament_archives` beside it.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeAlias, TypeVar

from bot.store.engines.seam import EVERY_SERVER, Row, Session, Shards
from bot.store.errors import Undecodable

KEPT: Final = 7 * 24 * 60 * 60 * 1000
"""How long a table or tournament stays unpacked after its last change, in milliseconds."""

LEVEL: Final = 6

Place: TypeAlias = tuple[int, int]
"""A place in the order of packing: the instant of a subject's last change, and its number."""

BEGINNING: Final[Place] = (0, 0)

Contents = TypeVar("Contents")


def compress(data: object) -> tuple[bytes, str]:
    """Return the JSON of the data compressed, and the hash of that JSON. Raises `UnicodeEncodeError`."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode()
    return zlib.compress(text, LEVEL), hashlib.sha256(text).hexdigest()


def decompress(packed: bytes, sha256: str) -> Any:
    """Return what `compress` was given. Raises `Undecodable` for a damaged archive."""
    try:
        text = zlib.decompress(packed)
        if hashlib.sha256(text).hexdigest() == sha256:
            return json.loads(text)
    except (zlib.error, ValueError, TypeError):
        pass
    raise Undecodable("archive: damaged")


@dataclass(frozen=True, slots=True)
class ArchiveKind(Generic[Contents]):
    """A kind of archive: its table in the database, the column with the subject's number, and its packed form.

    `unpack` raises `Undecodable` for a damaged archive.
    """

    table: str
    column: str
    pack: Callable[[Contents], tuple[bytes, str]]
    unpack: Callable[[bytes, str], Contents]

    def find(self, session: Session, number: int) -> Contents | None:
        """Return what is packed of a subject, None if it is not packed. Raises `Undecodable`."""
        rows = self._rows(session, number)
        return self.unpack(rows[0]["packed"], rows[0]["sha256"]) if rows else None

    def rewrite(self, session: Session, change: Callable[[Contents], Contents]) -> int:
        """Change the texts of all archives, for migrations, and return how many changed.

        A damaged archive stays as it is.
        """
        changed = 0
        for (number,) in session.execute(f"SELECT {self.column} FROM {self.table} ORDER BY 1").rows:  # noqa: S608 - no value in it
            (row,) = self._rows(session, number)
            try:
                before = self.unpack(row["packed"], row["sha256"])
                after = change(before)
            except (Undecodable, ValueError, TypeError, KeyError):
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
class DueSubjects:
    """The subjects of a kind that are to be packed now, and the function that packs one of them.

    `query` selects numbers and instants of the last change, the earliest first, by `:before`, `:limit`, `:at`, `:id`.
    """

    query: str
    pack_one: Callable[[Session, int], bool]

    def pack(
        self, session: Session, *, before: int, limit: int, after: Place, shards: Shards = EVERY_SERVER
    ) -> tuple[int, Place]:
        """Pack at most `limit` subjects unchanged since `before`, the longest unchanged first.

        Goes on `after` a place, and returns how many were packed and the place reached, which is `after` when nothing
        more is due. A subject that cannot be packed is passed over.
        """
        values = {"before": before, "limit": limit, "at": after[0], "id": after[1], **shards.parameters}
        packed = 0
        for number, at in session.execute(self.query, values).rows:
            packed += self.pack_one(session, number)
            after = at, number
        return packed, after
