-- The log of rated matches, to which rows are only added: a row of a match replaces its earlier one, and one that is
-- `void` takes it back. `tournament` is 0 for a table of its own, whose number `number` then is.
CREATE TABLE rating_log (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    tournament INTEGER NOT NULL,
    number INTEGER NOT NULL,
    family TEXT NOT NULL,
    players INTEGER NOT NULL,
    guild_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    void INTEGER NOT NULL CHECK (void IN (0, 1))
) STRICT;

CREATE INDEX rating_log_by_match ON rating_log (tournament, number, seq);
CREATE INDEX rating_log_by_ladder ON rating_log (family, players, at);

-- Who is rated in a match of the log, seat by seat. What comes before and after follows from the log and is figured anew
-- with a correction; `mu_after` is empty where the person is not rated.
CREATE TABLE rating_places (
    seq INTEGER NOT NULL REFERENCES rating_log (seq),
    side INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    person_id INTEGER NOT NULL,
    rank INTEGER NOT NULL,
    share REAL NOT NULL,
    lost INTEGER NOT NULL CHECK (lost IN (0, 1)),
    mu_before REAL,
    sigma_before REAL,
    mu_after REAL,
    sigma_after REAL,
    PRIMARY KEY (seq, side, seat)
) STRICT, WITHOUT ROWID;

CREATE INDEX rating_places_of_person ON rating_places (person_id);

-- Everybody's rating as it stands, which follows from the log.
CREATE TABLE ratings (
    family TEXT NOT NULL,
    players INTEGER NOT NULL,
    person_id INTEGER NOT NULL,
    mu REAL NOT NULL,
    sigma REAL NOT NULL,
    last INTEGER NOT NULL,
    matches INTEGER NOT NULL,
    PRIMARY KEY (family, players, person_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX ratings_of_person ON ratings (person_id);

-- Finished games of rated tables that the log does not know yet, and when they ended.
CREATE TABLE ratings_due (
    table_id INTEGER NOT NULL PRIMARY KEY REFERENCES tables (id),
    at INTEGER NOT NULL
) STRICT;
