-- Channels of direct messages that are open, because the person chose them or was sent a private letter.
CREATE TABLE rooms (
    person_id INTEGER NOT NULL PRIMARY KEY,
    channel_id INTEGER NOT NULL,
    opened_at INTEGER NOT NULL
) STRICT;

-- Starts of the last day: when each began, since when the bot was ready, and how often it identified itself.
CREATE TABLE starts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    ready_at INTEGER,
    ready_for INTEGER NOT NULL DEFAULT 0,
    identifies INTEGER NOT NULL DEFAULT 0
) STRICT;
