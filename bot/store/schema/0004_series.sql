-- Series of tournaments with their logs and parts, stored like tournaments.
CREATE TABLE series (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    guild_id INTEGER NOT NULL,
    channel_id INTEGER NOT NULL,
    stage TEXT NOT NULL,
    version INTEGER NOT NULL CHECK (version >= 1),
    due_at INTEGER, -- when the next alarm rings
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    snapshot TEXT NOT NULL
) STRICT;

CREATE INDEX series_by_guild ON series (guild_id, stage);
CREATE INDEX series_by_due ON series (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE series_people (
    series_id INTEGER NOT NULL REFERENCES series (id),
    number INTEGER NOT NULL,
    person_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (series_id, number)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX series_people_by_person ON series_people (person_id, series_id);

CREATE TABLE series_steps (
    series_id INTEGER NOT NULL REFERENCES series (id),
    version INTEGER NOT NULL,
    request_id INTEGER UNIQUE,
    person_number INTEGER NOT NULL,
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (series_id, version)
) STRICT, WITHOUT ROWID;

-- The tournament of each night, so that each night is made once. A `dropped` night was taken back, and its number is
-- used again.
CREATE TABLE series_nights (
    tournament_id INTEGER PRIMARY KEY REFERENCES tournaments (id),
    series_id INTEGER NOT NULL REFERENCES series (id),
    season INTEGER NOT NULL,
    number INTEGER NOT NULL,
    dropped INTEGER NOT NULL DEFAULT 0 CHECK (dropped IN (0, 1))
) STRICT;

CREATE UNIQUE INDEX series_nights_once ON series_nights (series_id, season, number) WHERE dropped = 0;

-- Messages that show a series, by the part that they show. Without a message id, sending was begun but perhaps not
-- finished.
CREATE TABLE series_posts (
    series_id INTEGER NOT NULL REFERENCES series (id),
    name TEXT NOT NULL,
    channel_id INTEGER NOT NULL,
    message_id INTEGER,
    digest TEXT NOT NULL,
    PRIMARY KEY (series_id, name)
) STRICT, WITHOUT ROWID;
