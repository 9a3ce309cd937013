-- Version 5: what is over for a week is packed, log and snapshot of a table in one row.

-- `packed` is what `bot/store/upkeep/archives.py` makes of `rows` rows of the log; `sha256` is of it before compression.
-- The table's snapshot is empty then. Migrations that change stored texts must change those in here too.
CREATE TABLE archives (
    table_id INTEGER NOT NULL PRIMARY KEY REFERENCES tables (id),
    rows INTEGER NOT NULL CHECK (rows >= 0),
    packed BLOB NOT NULL,
    sha256 TEXT NOT NULL
) STRICT;

-- Who acted in a packed log: its rows name a person by the number here.
CREATE TABLE archive_people (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    number INTEGER NOT NULL CHECK (number >= 1),
    person_id INTEGER NOT NULL,
    PRIMARY KEY (table_id, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX archive_people_by_person ON archive_people (person_id, table_id);

CREATE INDEX tables_to_pack ON tables (updated_at, id) WHERE status IN ('finished', 'closed') AND snapshot <> '';

-- A change of a packed table first unpacks it.
CREATE TRIGGER archived_tables_are_unpacked_first BEFORE INSERT ON actions
WHEN EXISTS (SELECT 1 FROM archives WHERE table_id = NEW.table_id)
BEGIN
    SELECT RAISE(ABORT, 'archived');
END;
