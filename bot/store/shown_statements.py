"""All SQL on where tables are shown, in the dialect that SQLite and PostgreSQL share."""

from __future__ import annotations

from typing import Final

MOVE_TABLE: Final = "UPDATE tables SET channel_id = :channel, thread_id = :thread WHERE id = :table"

MESSAGE: Final = """
SELECT table_id AS "table", channel_id AS channel, message_id AS message, version, posted_at, told
FROM messages WHERE table_id = :table
"""

SET_MESSAGE: Final = """
INSERT INTO messages (table_id, channel_id, message_id, version, posted_at, told, behind)
SELECT id, CAST(:channel AS BIGINT), CAST(:message AS BIGINT), CAST(:version AS BIGINT), CAST(:posted_at AS BIGINT),
    CAST(:told AS TEXT), CASE WHEN version > :version THEN 1 ELSE 0 END
FROM tables WHERE id = :table
ON CONFLICT (table_id) DO UPDATE SET channel_id = excluded.channel_id, message_id = excluded.message_id,
    version = excluded.version, posted_at = excluded.posted_at, told = excluded.told, behind = excluded.behind
"""

LEAVE_MESSAGE_BEHIND: Final = "UPDATE messages SET behind = 1 WHERE table_id = :table AND behind = 0"

CLEAR_MESSAGE: Final = "DELETE FROM messages WHERE table_id = :table"

MESSAGES_BEHIND: Final = """
SELECT id FROM (
    SELECT id, coalesce(tried_at, 0) AS tried,
        row_number() OVER (PARTITION BY guild_id ORDER BY coalesce(tried_at, 0), updated_at, id) AS place
    FROM tables LEFT JOIN showings ON showings.table_id = id
    WHERE id IN (
        SELECT table_id FROM messages WHERE behind = 1
        UNION ALL
        SELECT id FROM tables WHERE status IN ('lobby', 'playing')
            AND NOT EXISTS (SELECT 1 FROM messages WHERE table_id = tables.id)
    ) AND guild_id NOT IN (SELECT guild_id FROM departures WHERE at < :departed_before)
) AS found
ORDER BY place, tried, id LIMIT :limit
"""

NOTE_TRIED: Final = """
INSERT INTO showings (table_id, tried_at) VALUES (:table, :at)
ON CONFLICT (table_id) DO UPDATE SET tried_at = excluded.tried_at
"""

SHOWING: Final = "SELECT begun, announced FROM showings WHERE table_id = :table"

NOTE_BEGUN: Final = """
INSERT INTO showings (table_id, begun) SELECT id, 1 FROM tables WHERE id = :table
ON CONFLICT (table_id) DO UPDATE SET begun = 1
"""

NOTE_ANNOUNCED: Final = """
INSERT INTO showings (table_id, announced) SELECT id, CAST(:joinable AS BIGINT) FROM tables WHERE id = :table
ON CONFLICT (table_id) DO UPDATE SET announced = excluded.announced
"""

DEPARTURES: Final = "SELECT guild_id AS guild, at FROM departures ORDER BY guild_id"

NOTE_DEPARTURE: Final = """
INSERT INTO departures (guild_id, at) VALUES (:guild, :at) ON CONFLICT (guild_id) DO NOTHING
"""

FORGET_DEPARTURE: Final = "DELETE FROM departures WHERE guild_id = :guild"

OPEN_GUILDS: Final = "SELECT DISTINCT guild_id AS guild FROM tables WHERE status IN ('lobby', 'playing') ORDER BY 1"
