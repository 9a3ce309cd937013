"""Players: how their games ended, their lapses and blocks, and everything that is stored of one person."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Final

from bot.store.connection import Session
from bot.store.database import EVERY_ROW, Database
from bot.store.personal_data import PERSONAL
from bot.store.writer import Statement


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The result of a finished game for a person who sat there at its end.

    `side` is the number of the person's score, `persons` how many persons sat at the table, `against` the highest of
    the other scores. `how` is a stable name: played, agreed, resigned, forfeited, latest_end. `canastas` are those that
    lay on the person's side at the ends of `canasta_deals` deals; of other deals that is not known. `best_deal` is None
    where no deal was scored.
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
    """A finished game that two persons played for one score."""

    partner: int
    table: int
    won: bool


@dataclass(frozen=True, slots=True)
class OpposedResult:
    """A finished game that two persons played against each other; perhaps neither of them won."""

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

_BLOCKS: Final = "SELECT blocked_id FROM blocks WHERE person_id = :person ORDER BY at, blocked_id"

_LAST_EXPORT: Final = "SELECT at FROM exports WHERE person_id = :person"

_NOTE_EXPORT: Final = """
INSERT INTO exports (person_id, at) VALUES (:person, :at)
ON CONFLICT (person_id) DO UPDATE SET at = excluded.at
"""


class PlayerStore:
    """Results, lapses and blocks of players, and what becomes of their data."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def results(self, person: int, *, limit: int | None = None) -> tuple[Result, ...]:
        """Return the person's finished games, latest first; at most `limit`."""
        rows = {"person": person, "limit": EVERY_ROW if limit is None else limit}
        found = await self._database.all(Result, _RESULTS, rows)
        return tuple(replace(result, won=bool(result.won)) for result in found)

    async def partner_results(self, person: int) -> tuple[PartnerResult, ...]:
        """Return the person's finished games with each partner, by partner and table."""
        found = await self._database.all(PartnerResult, _PARTNER_RESULTS, {"person": person})
        return tuple(replace(result, won=bool(result.won)) for result in found)

    async def opposed_results(self, person: int, other: int) -> tuple[OpposedResult, ...]:
        """Return the finished games of a person against another, as the first one sees them, by table."""
        found = await self._database.all(OpposedResult, _OPPOSED_RESULTS, {"person": person, "other": other})
        return tuple(OpposedResult(one.table, bool(one.won), bool(one.lost)) for one in found)

    async def lapses(self, person: int, *, since: int) -> int:
        """Return how often the person's time ran out since that instant."""
        return await self._database.value(_LAPSES, {"person": person, "since": since}) or 0

    async def block(self, person: int, blocked: int, at: int) -> None:
        """Store that a person does not want another at tables they host; a second time changes nothing."""
        values = {"person": person, "blocked": blocked, "at": at}
        await self._database.write(("blocks", person), Statement(_BLOCK, values, rows=None))

    async def unblock(self, person: int, blocked: int) -> None:
        """Delete a block, if there is one."""
        which = {"person": person, "blocked": blocked}
        await self._database.write(("blocks", person), Statement(_UNBLOCK, which, rows=None))

    async def blocks(self, person: int) -> tuple[int, ...]:
        """Return the persons that a person has blocked, earliest block first."""
        return await self._database.values(_BLOCKS, {"person": person})

    async def stored(self, person: int) -> Mapping[str, tuple[Mapping[str, object], ...]]:
        """Return what is stored of a person beside tables: rows by the names of `PERSONAL`."""
        found: dict[str, tuple[Mapping[str, object], ...]] = {}
        for one in PERSONAL:
            if one.export:
                rows = await self._database.fetch(one.export, {"person": person})
                found[one.exported_as] = tuple(json.loads(row[0]) if one.is_json else dict(row) for row in rows)
        return found

    async def forget(self, person: int) -> None:
        """Delete or mask everything that tells who a person was; at tables they become a former player."""

        def carry_out(session: Session) -> None:
            for one in PERSONAL:
                session.execute(one.forget, {"person": person})

        await self._database.run(carry_out)

    async def last_export(self, person: int) -> int | None:
        """Return when that person was last given their stored data."""
        return await self._database.value(_LAST_EXPORT, {"person": person})

    async def note_export(self, person: int, at: int) -> None:
        """Store that the person was given their stored data."""
        await self._database.write(("export", person), Statement(_NOTE_EXPORT, {"person": person, "at": at}))


def result_statements(results: Iterable[Result]) -> Iterator[Statement]:
    """Yield the statements that write the results of a game."""
    for result in results:
        yield Statement(_NEW_RESULT, {**asdict(result), "won": int(result.won)})


def lapse_statements(table: int, persons: Iterable[int], at: int) -> Iterator[Statement]:
    """Yield the statements that record that the time of persons ran out."""
    for person in persons:
        yield Statement(_NOTE_LAPSE, {"person": person, "table": table, "at": at})
