"""A file as it was written when names still stood in every row: five tables of Ana, Ben, Chi and Dev.

Table 1 is a finished game of two, table 2 runs without Chi and with an answer awaited, 3 and 5 are lobbies, 4 is
closed.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final

from bot.store.store import Store
from bot.tables.absence.values import NOTHING
from bot.tables.events import AnyEvent
from bot.tables.record import Record
from tests.support.logs import events_of, record_of

SCRIPT: Final = Path(__file__).parents[1] / "data" / "records" / "before-holders.sql"

ANA, BEN, CHI, DEV = (700_000_000_000_000_000 + number for number in range(1, 5))
CALLED: Final = {
    ANA: ("Ana Ferrari", "Ana F.", "ana.ferrari.77"),
    BEN: ("Ben Öst", "ben_oest"),
    CHI: ("Chi Nakamura", "chi-naka"),
    DEV: ("Dev Patel", "devpatel"),
}
"""What the persons are called, and their accounts."""

TABLES: Final = range(1, 6)


def write_earlier(path: Path) -> None:
    """The file, at the version of the database that it had."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(SCRIPT.read_text(encoding="utf-8"))


async def told_by(store: Store) -> list[tuple[list[AnyEvent], Record]]:
    """What all its tables tell: their logs and their snapshots."""
    return [(await events_of(store, table), await record_of(store, table)) for table in TABLES]


def of_earlier(record: Record) -> Record:
    """What earlier releases kept of a record: their snapshots know nothing of absence and canastas, which logs tell."""
    return replace(record, absence=NOTHING, left=tuple(replace(one, canastas=()) for one in record.left))
