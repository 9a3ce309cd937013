"""Version 2: parts of a tournament, such as matches, entries and news, are rows of their own."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from bot.store.engines.interface import Session

TABLES = (
    # The parts of a tournament's value that become rows, so that a step writes only those that have changed.
    """
    CREATE TABLE tournament_parts (
        tournament_id INTEGER NOT NULL REFERENCES tournaments (id),
        part TEXT NOT NULL,
        number INTEGER NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (tournament_id, part, number)
    ) STRICT, WITHOUT ROWID
    """,
    # Failed tasks of a tournament that are retried: an alarm, with its entry or match, or a reading of the tournament.
    """
    CREATE TABLE tournament_faults (
        tournament_id INTEGER NOT NULL REFERENCES tournaments (id),
        what TEXT NOT NULL,
        subject INTEGER NOT NULL,
        code TEXT NOT NULL,
        tries INTEGER NOT NULL,
        again_at INTEGER NOT NULL,
        told_at INTEGER, -- when the directors were told last
        mended INTEGER NOT NULL CHECK (mended IN (0, 1)), -- it works again, which is to be told
        PRIMARY KEY (tournament_id, what, subject)
    ) STRICT, WITHOUT ROWID
    """,
    # A tournament's name and its directors can be read even if its value cannot.
    "ALTER TABLE tournaments ADD COLUMN name TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE tournament_people ADD COLUMN directs INTEGER NOT NULL DEFAULT 0 CHECK (directs IN (0, 1))",
)

NUMBERED = {"entrants": "number", "rounds": "number", "matches": "id", "rulings": "number", "cases": "number"}
NUMBERED |= {"news": "number", "boards": "number"}


def migrate(session: Session) -> None:
    """Create the tables, and move the parts of every readable tournament into them."""
    for sql in TABLES:
        session.execute(sql)
    for (number,) in session.execute("SELECT id FROM tournaments ORDER BY id").rows:
        (stored,) = session.execute(
            "SELECT CAST(snapshot AS BLOB) FROM tournaments WHERE id = :id", {"id": number}
        ).rows[0]
        try:
            value = json.loads(stored.decode())
            parts = list(_take_out_parts(value))
            name, directors = str(value["plan"]["name"]), [int(one) for one in value["directors"]]
        except (ValueError, TypeError, KeyError, AttributeError):
            continue  # an unreadable tournament stays; the bot reports it as a fault
        _write_part_rows(session, number, value, parts, name)
        for director in directors:
            session.execute(
                "UPDATE tournament_people SET directs = 1 WHERE tournament_id = :id AND number = :number",
                {"id": number, "number": director},
            )


def _take_out_parts(value: dict[str, Any]) -> Iterator[tuple[str, int, Any]]:
    """Remove the parts from a tournament's value; yield each as (part, number, value)."""
    for part, key in NUMBERED.items():
        for one in sorted(value.pop(part, []), key=lambda found: int(found[key])):
            yield part, int(one[key]), one
    schedule = value.pop("schedule", [])
    for place, one in enumerate(schedule):
        yield "schedule", len(schedule) - place, one
    ladder = value.get("ladder") or {}
    for place, one in enumerate(ladder.pop("rungs", []), 1):
        yield "rungs", place, one
    for one in ladder.pop("meetings", []):
        yield "meetings", int(one["first"]) * 2**20 + int(one["second"]), one
    for place, one in enumerate(ladder.pop("events", []), 1):
        yield "ladder_events", place, one


def _write_part_rows(
    session: Session, number: int, value: Mapping[str, Any], parts: list[tuple[str, int, Any]], name: str
) -> None:
    for part, place, one in parts:
        session.execute(
            "INSERT INTO tournament_parts (tournament_id, part, number, value) VALUES (:id, :part, :number, :value)",
            {"id": number, "part": part, "number": place, "value": _json(one)},
        )
    session.execute(
        "UPDATE tournaments SET snapshot = :snapshot, name = :name WHERE id = :id",
        {"id": number, "snapshot": _json(value), "name": name},
    )


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
