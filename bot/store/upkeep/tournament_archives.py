"""Archives of tournaments: value, parts and log of one that is over, compressed into one row.

People are numbers in all three, so an archive names nobody. People, seeds, messages and faults stay rows of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from bot.store.engines.interface import OWNED, Session
from bot.store.errors import InvalidWrite, UndecodableData
from bot.store.upkeep.archives import ArchiveKind, DueArchives, differences_to_instants, instants_to_differences
from bot.store.writer import Statement, run_statements

PackedPart: TypeAlias = tuple[str, int, str]
"""Kind, number and JSON of a part."""

PackedStep: TypeAlias = tuple[int, int | None, int, str, str, int]
"""Version, request, person's number, kind, details and instant of a row of the log."""


@dataclass(frozen=True, slots=True)
class TournamentContents:
    """The texts of a tournament that an archive holds."""

    snapshot: str
    parts: tuple[PackedPart, ...]
    steps: tuple[PackedStep, ...]


_DUE: Final = f"""
SELECT id, updated_at FROM tournaments
WHERE stage IN ('closed', 'cancelled') AND snapshot <> '' AND updated_at < :before AND due_at IS NULL
    AND (updated_at, id) > (:at, :id) AND {OWNED}
    AND NOT EXISTS (SELECT 1 FROM tournament_faults WHERE tournament_id = tournaments.id)
ORDER BY updated_at, id LIMIT :limit
"""  # noqa: S608 - no value in it

# Texts are read as bytes: decoding would replace invalid UTF-8, and the archive would differ.
_SNAPSHOT: Final = "SELECT CAST(snapshot AS BLOB) FROM tournaments WHERE id = :id AND snapshot <> ''"

_PARTS: Final = """
SELECT CAST(part AS BLOB), number, CAST(value AS BLOB) FROM tournament_parts WHERE tournament_id = :id
ORDER BY part, number
"""

_STEPS: Final = """
SELECT version, request_id, person_number, CAST(kind AS BLOB), CAST(detail AS BLOB), at FROM tournament_steps
WHERE tournament_id = :id ORDER BY version
"""

_NEW_PART: Final = """
INSERT INTO tournament_parts (tournament_id, part, number, value) VALUES (:id, :part, :number, :value)
"""

_NEW_STEP: Final = """
INSERT INTO tournament_steps (tournament_id, version, request_id, person_number, kind, detail, at)
VALUES (:id, :version, :request, :by, :kind, :detail, :at)
"""


def _data_of_contents(contents: TournamentContents) -> object:
    steps = instants_to_differences(contents.steps)
    return {"snapshot": contents.snapshot, "parts": contents.parts, "steps": steps}


def _contents_from_data(data: Any) -> TournamentContents:
    parts = tuple((part, number, value) for part, number, value in data["parts"])
    steps = tuple(
        (version, request, by, kind, detail, at)
        for version, request, by, kind, detail, at in differences_to_instants(data["steps"])
    )
    return TournamentContents(data["snapshot"], parts, steps)


ARCHIVES: Final[ArchiveKind[TournamentContents]] = ArchiveKind(
    "tournament_archives", "tournament_id", _data_of_contents, _contents_from_data
)


def pack_tournament(session: Session, tournament: int) -> bool:
    """Archive a tournament if unpacking restores every row exactly; return whether it was archived."""
    which = {"id": tournament}
    rows = session.execute(_SNAPSHOT, which).rows
    if not rows:
        return False
    parts = session.execute(_PARTS, which).rows
    try:
        contents = TournamentContents(
            rows[0][0].decode(),
            tuple((part.decode(), number, value.decode()) for part, number, value in parts),
            tuple(
                (version, request, by, kind.decode(), detail.decode(), at)
                for version, request, by, kind, detail, at in session.execute(_STEPS, which).rows
            ),
        )
    except UnicodeDecodeError:
        return False
    if not ARCHIVES.insert(session, tournament, contents):
        return False
    session.execute("DELETE FROM tournament_parts WHERE tournament_id = :id", which)
    session.execute("DELETE FROM tournament_steps WHERE tournament_id = :id", which)
    session.execute("UPDATE tournaments SET snapshot = '' WHERE id = :id", which)
    return True


DUE_TOURNAMENTS: Final = DueArchives(_DUE, pack_tournament)
"""Closed and cancelled tournaments without a fault."""


def unpack_tournament(session: Session, tournament: int) -> bool:
    """Restore the rows of an archived tournament; return whether it was archived.

    Raises `UndecodableData`.
    """
    which = {"id": tournament}
    contents = ARCHIVES.remove(session, tournament)
    if contents is None:
        return False
    for part, number, value in contents.parts:
        session.execute(_NEW_PART, {**which, "part": part, "number": number, "value": value})
    for version, request, by, kind, detail, at in contents.steps:
        row = {"version": version, "request": request, "by": by, "kind": kind, "detail": detail, "at": at}
        session.execute(_NEW_STEP, {**which, **row})
    own = {**which, "snapshot": contents.snapshot}
    session.execute("UPDATE tournaments SET snapshot = :snapshot WHERE id = :id", own)
    return True


def unpack_and_write(session: Session, tournament: int, statements: Sequence[Statement]) -> None:
    """Restore an archived tournament and write a step of it.

    Raises `InvalidWrite` if it is not archived, its archive is damaged, or the step cannot be written.
    """
    try:
        unpacked = unpack_tournament(session, tournament)
    except UndecodableData:
        unpacked = False
    if not unpacked:
        raise InvalidWrite("the tournament has moved on")
    run_statements(session, statements)
