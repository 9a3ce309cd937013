-- The message that lists a server's open seats. `sending_at` is set while a new one is being sent, so that a start
-- after a crash repeats the request and makes no second message; `fault` is the last problem reported to `chosen_by`.
CREATE TABLE open_seats (
    guild_id INTEGER NOT NULL PRIMARY KEY,
    chosen_by INTEGER NOT NULL,
    channel_id INTEGER NOT NULL,
    message_id INTEGER,
    posted_at INTEGER NOT NULL DEFAULT 0,
    sending_at INTEGER,
    fault TEXT NOT NULL DEFAULT ''
) STRICT;

-- The lobbies for which members who want that were called, and when; a row is written before the call is sent.
CREATE TABLE lobby_calls (
    table_id INTEGER NOT NULL PRIMARY KEY REFERENCES tables (id),
    guild_id INTEGER NOT NULL,
    at INTEGER NOT NULL
) STRICT;

CREATE INDEX lobby_calls_by_guild ON lobby_calls (guild_id, at);

-- Finds the people who have blocked a person, whenever that person sits down.
CREATE INDEX blocks_by_blocked ON blocks (blocked_id);
