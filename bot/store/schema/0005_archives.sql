-- Version 5: a table that has been over for a week is packed: its log and snapshot become one row.

-- `packed` is what `bot/store/upkeep/archives.py` makes of `rows` rows of the log; `sha256` is the hash before
-- compression. The table's snapshot is empty then. Migrations that change stored texts must change the packed ones too.
CREATE TABLE archives (
    table_id INTEGER NOT NULL PRIMARY KEY REFERENCES tables (id),
    rows INTEGER NOT NULL CHECK (rows >= 0),
    packed BLOB NOT NULL,
    sha256 TEXT NOT NULL
) STRICT;

-- The people who acted in a packed log, whose rows name them by these numbers.
CREATE TABLE archive_people (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    number INTEGER NOT NULL CHECK (number >= 1),
    person_id INTEGER NOT NULL,
    PRIMARY KEY (table_id, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX archive_people_by_person ON archive_people (person_id, table_id);

CREATE INDEX tables_to_pack ON tables (updated_at, id) WHERE status IN ('finished', 'closed') AND snapshot <> '';

-- A packed table is unpacked before it is changed.
CREATE TRIGGER archived_tables_are_unpacked_first BEFORE INSERT ON actions
WHEN EXISTS (SELECT 1 FROM archives WHERE table_id = NEW.table_id)
BEGIN
    SELECT RAISE(ABORT, 'archived');
END;
