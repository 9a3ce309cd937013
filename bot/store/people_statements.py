"""All SQL about what is kept of persons beside their seats."""

from __future__ import annotations

from typing import Final

NEW_RESULT: Final = """
INSERT INTO results (person_id, table_id, seat, side, rules, players, persons, how, won, score, against, deals,
    best_deal, canastas, canasta_deals, finished_at)
VALUES (:person, :table, :seat, :side, :rules, :players, :persons, :how, :won, :score, :against, :deals,
    :best_deal, :canastas, :canasta_deals, :finished_at)
"""

RESULTS: Final = """
SELECT person_id AS person, table_id AS "table", seat, side, rules, players, persons, how, won, score, against, deals,
    best_deal, canastas, canasta_deals, finished_at
FROM results WHERE person_id = :person
ORDER BY finished_at DESC, table_id DESC LIMIT :limit
"""

PARTNER_RESULTS: Final = """
SELECT other.person_id AS partner, own.table_id AS "table", own.won AS won
FROM results AS own JOIN results AS other ON other.table_id = own.table_id AND other.side = own.side
WHERE own.person_id = :person AND other.person_id <> :person
ORDER BY other.person_id, own.table_id
"""

OPPOSED_RESULTS: Final = """
SELECT own.table_id AS "table", own.won AS won, other.won AS lost
FROM results AS own JOIN results AS other ON other.table_id = own.table_id AND other.side <> own.side
WHERE own.person_id = :person AND other.person_id = :other
ORDER BY own.table_id
"""

RESULTS_MISSING: Final = "SELECT table_id FROM results_missing ORDER BY table_id LIMIT :limit"

RESULTS_FILLED: Final = "DELETE FROM results_missing WHERE table_id = :table"

NOTE_LAPSE: Final = "INSERT INTO lapses (person_id, table_id, at) VALUES (:person, :table, :at)"

LAPSES: Final = "SELECT count(*) FROM lapses WHERE person_id = :person AND at >= :since"

BLOCK: Final = """
INSERT INTO blocks (person_id, blocked_id, at) VALUES (:person, :blocked, :at)
ON CONFLICT (person_id, blocked_id) DO NOTHING
"""

UNBLOCK: Final = "DELETE FROM blocks WHERE person_id = :person AND blocked_id = :blocked"

BLOCKS: Final = "SELECT blocked_id FROM blocks WHERE person_id = :person ORDER BY at, blocked_id"
