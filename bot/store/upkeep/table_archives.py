"""Archives of finished tables: log and snapshot compressed into one row.

Source: `docs/decisions/0037-backups-and-archives.md`. The JSON of the snapshot and of the rows of the log is
compressed. Requests are left out, instants are differences, and persons are numbers of `archive_people`. A table is
unpacked again before it is changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.store.engines.interface import OWNED, Row, Session
from bot.store.errors import DAMAGED
from bot.store.upkeep.archives import ArchiveKind, DueArchives, differences_to_instants, instants_to_differences

ARCHIVE: Final = "SELECT packed, sha256 FROM archives WHERE table_id = :table"
ARCHIVE_PEOPLE: Final = "SELECT number, person_id FROM archive_people WHERE table_id = :table"

_DUE: Final = f"""
SELECT id, updated_at FROM tables WHERE status IN ('finished', 'closed') AND snapshot <> '' AND updated_at < :before
    AND (updated_at, id) > (:at, :id) AND {OWNED}
    AND NOT EXISTS (
        SELECT 1 FROM contest_tables JOIN tournaments ON tournaments.id = contest_tables.tournament
        WHERE contest_tables.table_id = tables.id AND tournaments.stage NOT IN ('closed', 'cancelled')
    )
ORDER BY updated_at, id LIMIT :limit
"""  # noqa: S608 - no value in it

_ROWS: Final = """
SELECT version, person_id, seat, kind, payload, at FROM actions WHERE table_id = :table ORDER BY version
"""

_NEW_ACTION: Final = """
INSERT INTO actions (table_id, version, person_id, seat, kind, payload, at)
VALUES (:table, :version, :person, :seat, :kind, :payload, :at)
"""


@dataclass(frozen=True, slots=True)
class PackedRow:
    """A row of a log in an archive; `person` is a number of `archive_people`, 0 for none."""

    version: int
    person: int
    seat: int | None
    kind: str
    payload: str
    at: int


@dataclass(frozen=True, slots=True)
class TableContents:
    """The snapshot and the log that a table's archive holds."""

    snapshot: str
    rows: tuple[PackedRow, ...]


def _data_of_contents(contents: TableContents) -> object:
    rows = ((row.version, row.person, row.seat, row.kind, row.payload, row.at) for row in contents.rows)
    return {"snapshot": contents.snapshot, "rows": instants_to_differences(rows)}


def _contents_from_data(data: Any) -> TableContents:
    return TableContents(data["snapshot"], tuple(PackedRow(*row) for row in differences_to_instants(data["rows"])))


ARCHIVES: Final[ArchiveKind[TableContents]] = ArchiveKind(
    "archives", "table_id", _data_of_contents, _contents_from_data
)


def pack_table(session: Session, table: int) -> bool:
    """Archive a finished table if unpacking restores every row exactly; return whether it was archived."""
    which = {"table": table}
    rows = session.execute("SELECT snapshot FROM tables WHERE id = :table AND snapshot <> ''", which).rows
    stored = session.execute(_ROWS, which).rows
    texts = [rows[0][0] if rows else "", *(row["payload"] for row in stored), *(row["kind"] for row in stored)]
    if not rows or not stored or DAMAGED in texts:
        return False
    numbers = _number_people(stored)
    contents = TableContents(rows[0][0], tuple(_packed_row(row, numbers) for row in stored))
    if not ARCHIVES.insert(session, table, contents, rows=len(stored)):
        return False
    for person, number in numbers.items():
        session.execute(
            "INSERT INTO archive_people (table_id, number, person_id) VALUES (:table, :number, :person)",
            {**which, "number": number, "person": person},
        )
    session.execute("DELETE FROM actions WHERE table_id = :table", which)
    session.execute("UPDATE tables SET snapshot = '' WHERE id = :table", which)
    return True


DUE_TABLES: Final = DueArchives(_DUE, pack_table)
"""Finished tables, except those of tournaments that are not closed yet."""


def unpack_table(session: Session, table: int) -> bool:
    """Restore the rows of an archived table; return whether it was archived. Raises `UndecodableData`."""
    which = {"table": table}
    contents = ARCHIVES.remove(session, table)
    if contents is None:
        return False
    people = persons_in_log(session.execute(ARCHIVE_PEOPLE, which).rows)
    session.execute("DELETE FROM archive_people WHERE table_id = :table", which)
    for row in contents.rows:
        values = {"version": row.version, "seat": row.seat, "kind": row.kind, "payload": row.payload, "at": row.at}
        session.execute(_NEW_ACTION, {**which, **values, "person": people.get(row.person)})
    session.execute(
        "UPDATE tables SET snapshot = :snapshot WHERE id = :table", {**which, "snapshot": contents.snapshot}
    )
    return True


def persons_in_log(rows: Sequence[Row]) -> dict[int, int]:
    """Return the persons of a packed log by their numbers in it."""
    return {row["number"]: row["person_id"] for row in rows}


def _number_people(rows: Sequence[Row]) -> dict[int, int]:
    """Return a number, from 1, for every person of a log."""
    numbers: dict[int, int] = {}
    for row in rows:
        if row["person_id"] is not None:
            numbers.setdefault(row["person_id"], len(numbers) + 1)
    return numbers


def _packed_row(row: Row, numbers: dict[int, int]) -> PackedRow:
    """Return a row of a log as an archive holds it."""
    person = 0 if row["person_id"] is None else numbers[row["person_id"]]
    return PackedRow(row["version"], person, row["seat"], row["kind"], row["payload"], row["at"])
