-- Who holds or has held a place at a table, one row for each way a person was called there. Names stand here and
-- nowhere else: logs and snapshots have a holder's number. `first` is the lowest number of the same person at the
-- table. A former player has no name, and a `person_id` below zero that no other table has.
CREATE TABLE holders (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    number INTEGER NOT NULL CHECK (number >= 1),
    first INTEGER NOT NULL CHECK (first BETWEEN 1 AND number),
    person_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    account TEXT NOT NULL,
    PRIMARY KEY (table_id, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX holders_by_person ON holders (person_id, table_id);

-- Tables of before, which have names in their logs and snapshots: these are written anew with numbers, and have been
-- up to that version of the log.
CREATE TABLE named_logs (
    table_id INTEGER NOT NULL PRIMARY KEY REFERENCES tables (id),
    version INTEGER NOT NULL
) STRICT;

INSERT INTO named_logs (table_id, version) SELECT id, 0 FROM tables;

-- When a person was last given what is kept of it.
CREATE TABLE exports (
    person_id INTEGER NOT NULL PRIMARY KEY,
    at INTEGER NOT NULL
) STRICT;
