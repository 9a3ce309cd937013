-- Tournaments, what was done to them, and what goes with them. A tournament's texts name persons by their numbers here.
CREATE TABLE tournaments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    guild_id INTEGER NOT NULL,
    channel_id INTEGER NOT NULL,
    stage TEXT NOT NULL,
    version INTEGER NOT NULL CHECK (version >= 1),
    due_at INTEGER, -- when the clock asks something next
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    snapshot TEXT NOT NULL
) STRICT;

CREATE INDEX tournaments_by_guild ON tournaments (guild_id, stage);
CREATE INDEX tournaments_by_due ON tournaments (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE tournament_people (
    tournament_id INTEGER NOT NULL REFERENCES tournaments (id),
    number INTEGER NOT NULL,
    person_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (tournament_id, number)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX tournament_people_by_person ON tournament_people (person_id, tournament_id);

-- The log: one row a version, each with who did it (0 for the clock and the tables) and why.
CREATE TABLE tournament_steps (
    tournament_id INTEGER NOT NULL REFERENCES tournaments (id),
    version INTEGER NOT NULL,
    request_id INTEGER UNIQUE,
    person_number INTEGER NOT NULL,
    kind TEXT NOT NULL,
    detail TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (tournament_id, version)
) STRICT, WITHOUT ROWID;

-- The lot and the seeds of boards stand alone, so that no query for anything else can meet one.
CREATE TABLE tournament_secrets (
    tournament_id INTEGER NOT NULL REFERENCES tournaments (id),
    name TEXT NOT NULL,
    seed BLOB NOT NULL,
    PRIMARY KEY (tournament_id, name)
) STRICT, WITHOUT ROWID;

-- Messages that show a tournament, by what they show. One without a number was begun and perhaps never sent.
CREATE TABLE tournament_posts (
    tournament_id INTEGER NOT NULL REFERENCES tournaments (id),
    name TEXT NOT NULL,
    channel_id INTEGER NOT NULL,
    message_id INTEGER,
    digest TEXT NOT NULL,
    PRIMARY KEY (tournament_id, name)
) STRICT, WITHOUT ROWID;
