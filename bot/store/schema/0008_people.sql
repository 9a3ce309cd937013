-- How each person's finished games ended: one row a person who sat there at the end. `won` tells whether the person's
-- score won; `against` is the highest of the other scores; `canastas` are those of the last `canasta_deals` deals, of
-- which that is known.
CREATE TABLE results (
    person_id INTEGER NOT NULL,
    table_id INTEGER NOT NULL REFERENCES tables (id),
    seat INTEGER NOT NULL,
    side INTEGER NOT NULL,
    rules TEXT NOT NULL,
    players INTEGER NOT NULL,
    persons INTEGER NOT NULL,
    how TEXT NOT NULL,
    won INTEGER NOT NULL CHECK (won IN (0, 1)),
    score INTEGER NOT NULL,
    against INTEGER NOT NULL,
    deals INTEGER NOT NULL,
    best_deal INTEGER,
    canastas INTEGER NOT NULL,
    canasta_deals INTEGER NOT NULL,
    finished_at INTEGER NOT NULL,
    PRIMARY KEY (person_id, table_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX results_by_table ON results (table_id);

-- Games that were finished before results were kept; a row goes when its results are written.
CREATE TABLE results_missing (
    table_id INTEGER NOT NULL PRIMARY KEY REFERENCES tables (id)
) STRICT;

INSERT INTO results_missing (table_id) SELECT id FROM tables WHERE status = 'finished';

-- Whenever the time of a person's seat was used up.
CREATE TABLE lapses (
    person_id INTEGER NOT NULL,
    table_id INTEGER NOT NULL REFERENCES tables (id),
    at INTEGER NOT NULL,
    PRIMARY KEY (person_id, table_id, at)
) STRICT, WITHOUT ROWID;

-- Whom a person would not have at own tables.
CREATE TABLE blocks (
    person_id INTEGER NOT NULL,
    blocked_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (person_id, blocked_id)
) STRICT, WITHOUT ROWID;
