"""All SQL on what is kept, in the dialect that SQLite and PostgreSQL share."""

from __future__ import annotations

from typing import Final

# --- tables ----------------------------------------------------------------------------------------------------------

NEW_TABLE: Final = """
INSERT INTO tables (guild_id, channel_id, thread_id, status, version, opened_by, created_at, updated_at, snapshot)
VALUES (:guild, :channel, :thread, :status, 1, :person, :at, :at, :snapshot)
RETURNING id
"""

NEW_ACTION: Final = """
INSERT INTO actions (table_id, version, request_id, person_id, seat, kind, payload, at)
VALUES (:table, :version, :request, :person, :seat, :kind, :payload, :at)
"""

NEW_VERSION: Final = """
UPDATE tables SET version = :version, status = :status, snapshot = :snapshot, updated_at = :at,
    computer_to_act = :computer_to_act
WHERE id = :table AND version = :expected
"""

TABLE: Final = """
SELECT id, guild_id AS guild, channel_id AS channel, thread_id AS thread, status, version, opened_by, created_at,
    updated_at, snapshot
FROM tables WHERE id = :table
"""

TABLE_VERSION: Final = "SELECT version FROM tables WHERE id = :table"

TABLES: Final = """
SELECT id, guild_id AS guild, channel_id AS channel, thread_id AS thread, status, version, opened_by, created_at,
    updated_at
FROM tables WHERE status IN (:status_1, :status_2, :status_3, :status_4)
ORDER BY id
"""

TABLES_OF_GUILD: Final = """
SELECT id, guild_id AS guild, channel_id AS channel, thread_id AS thread, status, version, opened_by, created_at,
    updated_at
FROM tables WHERE guild_id = :guild AND status IN (:status_1, :status_2, :status_3, :status_4)
ORDER BY id
"""

TABLES_OF_PERSON: Final = """
SELECT id, guild_id AS guild, channel_id AS channel, thread_id AS thread, status, version, opened_by, created_at,
    updated_at
FROM seated JOIN tables ON id = table_id
WHERE person_id = :person AND status IN (:status_1, :status_2, :status_3, :status_4)
ORDER BY id
"""

TABLES_OPENED_BY: Final = """
SELECT id, guild_id AS guild, channel_id AS channel, thread_id AS thread, status, version, opened_by, created_at,
    updated_at
FROM tables WHERE opened_by = :person AND status IN (:status_1, :status_2, :status_3, :status_4)
ORDER BY id
"""

TABLES_FOR_COMPUTERS: Final = "SELECT id FROM tables WHERE status = 'playing' AND computer_to_act IS NOT 0 ORDER BY id"

# --- the log ---------------------------------------------------------------------------------------------------------

ACTIONS: Final = """
SELECT table_id AS "table", version, request_id AS request, person_id AS person, seat, kind, payload, at
FROM actions WHERE table_id = :table AND version > :after
ORDER BY version LIMIT :limit
"""

ACTION_OF_REQUEST: Final = """
SELECT table_id AS "table", version, request_id AS request, person_id AS person, seat, kind, payload, at
FROM actions WHERE request_id = :request
"""

# --- who is seated ---------------------------------------------------------------------------------------------------

CLEAR_SEATED: Final = "DELETE FROM seated WHERE table_id = :table"

NEW_SEATED: Final = "INSERT INTO seated (table_id, person_id) VALUES (:table, :person)"

# --- timers ----------------------------------------------------------------------------------------------------------

SET_TIMER: Final = """
INSERT INTO timers (table_id, kind, guild_id, due_at, version)
SELECT id, CAST(:kind AS TEXT), guild_id, CAST(:due_at AS BIGINT), CAST(:version AS BIGINT)
FROM tables WHERE id = :table
ON CONFLICT (table_id, kind) DO UPDATE SET due_at = excluded.due_at, version = excluded.version
"""

CLEAR_TIMER: Final = "DELETE FROM timers WHERE table_id = :table AND kind = :kind"

NEXT_DUE: Final = "SELECT min(due_at) AS due_at FROM timers"

DUE: Final = """
SELECT table_id AS "table", guild_id AS guild, kind, due_at, version
FROM timers WHERE due_at <= :now
ORDER BY due_at, table_id, kind LIMIT :limit
"""

# --- sheets of deals -------------------------------------------------------------------------------------------------

SHEET: Final = "SELECT deal FROM sheets WHERE table_id = :table"

SET_SHEET: Final = """
INSERT INTO sheets (table_id, deal) SELECT id, CAST(:deal AS BIGINT) FROM tables WHERE id = :table
ON CONFLICT (table_id) DO UPDATE SET deal = excluded.deal
"""

# --- seeds -----------------------------------------------------------------------------------------------------------

SET_SEED: Final = """
INSERT INTO deal_secrets (table_id, deal, seed, commitment) VALUES (:table, :deal, :seed, :commitment)
ON CONFLICT (table_id, deal) DO UPDATE SET seed = excluded.seed, commitment = excluded.commitment
WHERE deal_secrets.revealed_at IS NULL
"""

REVEAL_SEED: Final = """
UPDATE deal_secrets SET revealed_at = COALESCE(revealed_at, :at) WHERE table_id = :table AND deal = :deal
"""

SEED: Final = """
SELECT deal, seed, commitment, revealed_at FROM deal_secrets WHERE table_id = :table AND deal = :deal
"""

# --- what persons and servers have chosen -----------------------------------------------------------------------------

PREFERENCES: Final = """
SELECT name, value FROM preferences WHERE owner = :owner AND owner_id = :id ORDER BY name
"""

SET_PREFERENCE: Final = """
INSERT INTO preferences (owner, owner_id, name, value) VALUES (:owner, :id, :name, :value)
ON CONFLICT (owner, owner_id, name) DO UPDATE SET value = excluded.value
"""

CLEAR_PREFERENCE: Final = "DELETE FROM preferences WHERE owner = :owner AND owner_id = :id AND name = :name"

# --- rules that servers have saved ------------------------------------------------------------------------------------

SAVED_RULES: Final = """
SELECT guild_id AS guild, folded, name, rules, saved_by, saved_at FROM saved_rules WHERE guild_id = :guild
ORDER BY folded
"""

SAVE_RULES: Final = """
INSERT INTO saved_rules (guild_id, folded, name, rules, saved_by, saved_at)
VALUES (:guild, :folded, :name, :rules, :saved_by, :saved_at)
ON CONFLICT (guild_id, folded) DO UPDATE SET name = excluded.name, rules = excluded.rules,
    saved_by = excluded.saved_by, saved_at = excluded.saved_at
"""

FORGET_RULES: Final = "DELETE FROM saved_rules WHERE guild_id = :guild AND folded = :folded"

# --- the program itself ----------------------------------------------------------------------------------------------

HEARTBEAT: Final = """
INSERT INTO heartbeat (id, at) VALUES (1, :at)
ON CONFLICT (id) DO UPDATE SET at = excluded.at
"""

LAST_HEARTBEAT: Final = "SELECT at FROM heartbeat WHERE id = 1"
