"""Players: results of games, lapses, blocks, lessons, and the export and deletion of their data."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Final

from bot.store.database import EVERY_ROW, Database
from bot.store.engines.interface import Row, Session
from bot.store.people.personal_data import PERSONAL
from bot.store.upkeep.deletions import NOTE_DELETION, drop_old_deletion_lines, new_deletion, note_deletion
from bot.store.writer import Statement


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResult:
    """The result of a finished game for a person seated at its end.

    `side` is the index of the person's score, `persons` the number of people at the table, `against` the highest of the
    other scores. `how` is a stable name: played, agreed, resigned, forfeited, latest_end. `canastas` counts the
    canastas of the person's side at the ends of `canasta_deals` deals; for other deals it is not known. `best_deal` is
    None if no deal was scored.
    """

    person: int
    table: int
    seat: int
    side: int
    rules: str
    players: int
    persons: int
    how: str
    won: bool
    score: int
    against: int
    deals: int
    best_deal: int | None
    canastas: int
    canasta_deals: int
    finished_at: int


@dataclass(frozen=True, slots=True)
class PartnerResult:
    """A finished game that two people played as partners."""

    partner: int
    table: int
    won: bool


@dataclass(frozen=True, slots=True)
class OpposedResult:
    """A finished game that two people played against each other; perhaps neither of them won."""

    table: int
    won: bool
    lost: bool


_NEW_RESULT: Final = """
INSERT INTO results (person_id, table_id, seat, side, rules, players, persons, how, won, score, against, deals,
    best_deal, canastas, canasta_deals, finished_at)
VALUES (:person, :table, :seat, :side, :rules, :players, :persons, :how, :won, :score, :against, :deals,
    :best_deal, :canastas, :canasta_deals, :finished_at)
"""

_RESULTS: Final = """
SELECT person_id AS person, table_id AS "table", seat, side, rules, players, persons, how, won, score, against, deals,
    best_deal, canastas, canasta_deals, finished_at
FROM results WHERE person_id = :person
ORDER BY finished_at DESC, table_id DESC LIMIT :limit
"""

_PARTNER_RESULTS: Final = """
SELECT other.person_id AS partner, own.table_id AS "table", own.won AS won
FROM results AS own JOIN results AS other ON other.table_id = own.table_id AND other.side = own.side
WHERE own.person_id = :person AND other.person_id <> :person
ORDER BY other.person_id, own.table_id
"""

_OPPOSED_RESULTS: Final = """
SELECT own.table_id AS "table", own.won AS won, other.won AS lost
FROM results AS own JOIN results AS other ON other.table_id = own.table_id AND other.side <> own.side
WHERE own.person_id = :person AND other.person_id = :other
ORDER BY own.table_id
"""

_NOTE_LAPSE: Final = "INSERT INTO lapses (person_id, table_id, at) VALUES (:person, :table, :at)"

_LAPSES: Final = "SELECT count(*) FROM lapses WHERE person_id = :person AND at >= :since"

_BLOCK: Final = """
INSERT INTO blocks (person_id, blocked_id, at) VALUES (:person, :blocked, :at)
ON CONFLICT (person_id, blocked_id) DO NOTHING
"""

_UNBLOCK: Final = "DELETE FROM blocks WHERE person_id = :person AND blocked_id = :blocked"

_BLOCKERS: Final = "SELECT person_id FROM blocks WHERE blocked_id = :person ORDER BY person_id"

_BLOCKS: Final = "SELECT blocked_id FROM blocks WHERE person_id = :person ORDER BY at, blocked_id"

OFFERED: Final = ""
"""Stored in place of a lesson's id once the person has been offered lessons."""

_NOTE: Final = """
INSERT INTO lessons (person_id, lesson, done_at) VALUES (:person, :lesson, :at)
ON CONFLICT (person_id, lesson) DO UPDATE SET done_at = excluded.done_at
"""

_DONE: Final = "SELECT lesson FROM lessons WHERE person_id = :person ORDER BY lesson"

_GUILDS_OF: Final = """
SELECT guild_id FROM holders JOIN tables ON tables.id = table_id WHERE person_id = :person
UNION SELECT guild_id FROM tournament_people JOIN tournaments ON tournaments.id = tournament_id
WHERE person_id = :person
UNION SELECT guild_id FROM series_people JOIN series ON series.id = series_id WHERE person_id = :person
ORDER BY 1
"""

_KEY_OF_DELETIONS: Final = "SELECT key FROM deletions ORDER BY at DESC, who LIMIT 1"

_LAST_EXPORT: Final = "SELECT at FROM exports WHERE person_id = :person"

_NOTE_EXPORT: Final = """
INSERT INTO exports (person_id, at) VALUES (:person, :at)
ON CONFLICT (person_id) DO UPDATE SET at = excluded.at
"""


class PlayerStore:
    """The results, lapses and blocks of players, and the export and deletion of their data."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def results(self, person: int, *, limit: int | None = None) -> tuple[GameResult, ...]:
        """Return the person's finished games, latest first; at most `limit`."""
        rows = {"person": person, "limit": EVERY_ROW if limit is None else limit}
        found = await self._database.fetch_all(GameResult, _RESULTS, rows)
        return tuple(replace(result, won=bool(result.won)) for result in found)

    async def partner_results(self, person: int) -> tuple[PartnerResult, ...]:
        """Return the person's finished games with each partner, by partner and table."""
        found = await self._database.fetch_all(PartnerResult, _PARTNER_RESULTS, {"person": person})
        return tuple(replace(result, won=bool(result.won)) for result in found)

    async def opposed_results(self, person: int, other: int) -> tuple[OpposedResult, ...]:
        """Return a person's finished games against another, as the person sees them, by table."""
        found = await self._database.fetch_all(OpposedResult, _OPPOSED_RESULTS, {"person": person, "other": other})
        return tuple(OpposedResult(one.table, bool(one.won), bool(one.lost)) for one in found)

    async def count_lapses(self, person: int, *, since: int) -> int:
        """Return how often the person's time ran out since that instant."""
        return await self._database.fetch_number(_LAPSES, {"person": person, "since": since}) or 0

    async def block(self, person: int, blocked: int, at: int) -> None:
        """Store that a person does not want another at tables that they host.

        If it is stored already, nothing changes.
        """
        values = {"person": person, "blocked": blocked, "at": at}
        await self._database.write(("blocks", person), Statement(_BLOCK, values, rows=None))

    async def unblock(self, person: int, blocked: int) -> None:
        """Delete a person's block of another, if there is one."""
        which = {"person": person, "blocked": blocked}
        await self._database.write(("blocks", person), Statement(_UNBLOCK, which, rows=None))

    async def blocked_people(self, person: int) -> tuple[int, ...]:
        """Return the people that a person has blocked, earliest block first."""
        return await self._database.fetch_numbers(_BLOCKS, {"person": person})

    async def blockers(self, person: int) -> tuple[int, ...]:
        """Return the people who have blocked a person; no player is ever shown this."""
        return await self._database.fetch_numbers(_BLOCKERS, {"person": person})

    async def personal_data(self, person: int) -> Mapping[str, tuple[Mapping[str, object], ...]]:
        """Return the stored data of a person, except tables: rows by the names in `PERSONAL`."""
        found: dict[str, tuple[Mapping[str, object], ...]] = {}
        for one in PERSONAL:
            if one.export:
                rows = await self._database.fetch(one.export, {"person": person})
                read = (_parse_object(row[0]) if one.is_json else _export_row(row) for row in rows)
                found[one.exported_as] = tuple(row for row in read if row is not None)
        return found

    async def forget(self, person: int) -> None:
        """Delete or mask all stored data that identifies a person; at tables they become a former player.

        Afterwards no file of the database holds it (`bot.store.engines.sqlite_file.Erasure`).
        """

        def write_in_transaction(session: Session) -> None:
            for one in PERSONAL:
                session.execute(one.forget, {"person": person})
            session.notify(f"forgotten {person}")

        await self._database.run_and_erase(write_in_transaction)

    async def guilds_of(self, person: int) -> tuple[int, ...]:
        """Return the guilds whose tables, tournaments or series contain the person."""
        return await self._database.fetch_numbers(_GUILDS_OF, {"person": person})

    async def note_deletion(self, person: int, at: int) -> None:
        """Add a person to the list of deletions, with which a restored backup is cleaned.

        Call it before `forget`.
        """
        file = self._database.file
        if file is not None:
            await self._database.run(lambda _: note_deletion(file, person, at))
            return
        key = await self._database.fetch_text(_KEY_OF_DELETIONS, {})
        one = new_deletion(person, at, bytes.fromhex(key) if key else None)
        values = {"at": at, "who": one.who, "key": one.key.hex()}
        await self._database.write(("deletion", one.who), Statement(NOTE_DELETION, values, rows=None))

    def drop_old_deletions(self, now: int) -> None:
        """Remove the entries of the list of deletions that no kept backup needs; call it at the start."""
        if self._database.file is not None:
            drop_old_deletion_lines(self._database.file, now)

    async def last_export(self, person: int) -> int | None:
        """Return when the person's data was last exported."""
        return await self._database.fetch_number(_LAST_EXPORT, {"person": person})

    async def note_export(self, person: int, at: int) -> None:
        """Store that the person's data was exported."""
        await self._database.write(("export", person), Statement(_NOTE_EXPORT, {"person": person, "at": at}))


def _export_row(row: Row) -> Mapping[str, object]:
    """Return a row as data for an export; texts that were read as bytes are decoded."""
    return {
        name: value.decode("utf-8", "replace") if isinstance(value, bytes) else value
        for name, value in dict(row).items()
    }


def _parse_object(text: str) -> Mapping[str, object] | None:
    """Return the object in a stored text; None if it is damaged."""
    try:
        data = json.loads(text)
    except ValueError:
        return None
    return data if isinstance(data, dict) else None


class LessonStore:
    """The lessons that each person has finished."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def note_lesson(self, person: int, lesson: str, at: int) -> None:
        """Store that the person finished a lesson, or was offered the lessons; storing it again renews `at`."""
        values = {"person": person, "lesson": lesson, "at": at}
        await self._database.write(("lessons", person), Statement(_NOTE, values, rows=None))

    async def recorded_lessons(self, person: int) -> frozenset[str]:
        """Return the ids of the person's finished lessons, and `OFFERED` if they were offered."""
        return frozenset(str(row[0]) for row in await self._database.fetch(_DONE, {"person": person}))


def result_statements(results: Iterable[GameResult]) -> Iterator[Statement]:
    """Yield the statements that write the results of a game."""
    for result in results:
        yield Statement(_NEW_RESULT, {**asdict(result), "won": int(result.won)})


def lapse_statements(table: int, persons: Iterable[int], at: int) -> Iterator[Statement]:
    """Yield the statements that record that the time of these people ran out."""
    for person in persons:
        yield Statement(_NOTE_LAPSE, {"person": person, "table": table, "at": at})
