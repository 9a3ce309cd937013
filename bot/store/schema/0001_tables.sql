-- Tables, their logs, and what goes with them. Instants are UTC milliseconds; ids of Discord fit 63 bits.

CREATE TABLE tables (
    id INTEGER PRIMARY KEY AUTOINCREMENT, -- a number is never used twice: buttons of old tables carry it
    guild_id INTEGER NOT NULL,
    channel_id INTEGER NOT NULL,
    thread_id INTEGER,
    status TEXT NOT NULL CHECK (status IN ('lobby', 'playing', 'finished', 'closed')),
    version INTEGER NOT NULL CHECK (version >= 1),
    opened_by INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    snapshot TEXT NOT NULL
) STRICT;

CREATE INDEX tables_by_guild ON tables (guild_id, status);
CREATE INDEX tables_by_opener ON tables (opened_by, status);
CREATE INDEX tables_by_status ON tables (status);

-- The log: one row a version. The primary key refuses a second writer of one version, the request's uniqueness a
-- repetition. A null request is a computer player's or a timer's.
CREATE TABLE actions (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    version INTEGER NOT NULL CHECK (version >= 1),
    request_id INTEGER UNIQUE,
    person_id INTEGER,
    seat INTEGER,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (table_id, version)
) STRICT, WITHOUT ROWID;

-- Who sits where now; the snapshot says in which seat.
CREATE TABLE seated (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    person_id INTEGER NOT NULL,
    PRIMARY KEY (person_id, table_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX seated_by_table ON seated (table_id);

CREATE TABLE timers (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    kind TEXT NOT NULL,
    guild_id INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (table_id, kind)
) STRICT, WITHOUT ROWID;

CREATE INDEX timers_by_instant ON timers (due_at);

-- The message that shows a table, and whether the table has moved on since; few ever are behind, and only those are
-- in the index.
CREATE TABLE messages (
    table_id INTEGER NOT NULL PRIMARY KEY REFERENCES tables (id),
    channel_id INTEGER NOT NULL,
    message_id INTEGER NOT NULL,
    version INTEGER NOT NULL,
    posted_at INTEGER NOT NULL,
    behind INTEGER NOT NULL CHECK (behind IN (0, 1))
) STRICT;

CREATE INDEX messages_behind ON messages (table_id) WHERE behind = 1;

-- Seeds stand alone, so that no query for anything else can meet one.
CREATE TABLE deal_secrets (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    deal INTEGER NOT NULL,
    seed BLOB NOT NULL,
    commitment TEXT NOT NULL,
    revealed_at INTEGER,
    PRIMARY KEY (table_id, deal)
) STRICT, WITHOUT ROWID;

CREATE TABLE heartbeat (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    at INTEGER NOT NULL
) STRICT;
