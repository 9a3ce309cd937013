-- Version 16: several processes may share one database. A row with `shard` and `count` is about the servers with
-- (guild_id >> 22) % count = shard. A process alone has shard 0 of 1.

CREATE TABLE heartbeats (
    shard INTEGER NOT NULL,
    count INTEGER NOT NULL CHECK (count >= 1),
    at INTEGER NOT NULL,
    first_at INTEGER NOT NULL,
    PRIMARY KEY (shard, count)
) STRICT, WITHOUT ROWID;

INSERT INTO heartbeats (shard, count, at, first_at) SELECT 0, 1, at, first_at FROM heartbeat;
DROP TABLE heartbeat;
ALTER TABLE heartbeats RENAME TO heartbeat;

CREATE TABLE times_away (
    shard INTEGER NOT NULL,
    count INTEGER NOT NULL CHECK (count >= 1),
    start_at INTEGER NOT NULL,
    end_at INTEGER NOT NULL CHECK (end_at > start_at),
    PRIMARY KEY (shard, count, start_at)
) STRICT, WITHOUT ROWID;

INSERT INTO times_away (shard, count, start_at, end_at) SELECT 0, 1, start_at, end_at FROM outages;
DROP TABLE outages;
ALTER TABLE times_away RENAME TO outages;

-- Values that one process writes and others read, such as the commands that were sent to Discord.
CREATE TABLE told (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Token buckets that all processes share: a token has 3,600,000 `parts`, and `at` is an instant of the server's clock.
CREATE TABLE budgets (
    name TEXT NOT NULL PRIMARY KEY,
    parts INTEGER NOT NULL,
    at INTEGER NOT NULL,
    paused_until INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

-- Deletions of people, as keyed hashes, for a database that has no file beside it for them.
CREATE TABLE deletions (
    at INTEGER NOT NULL,
    who TEXT NOT NULL,
    key TEXT NOT NULL,
    PRIMARY KEY (who, at)
) STRICT, WITHOUT ROWID;
