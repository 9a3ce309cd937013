-- What persons and servers have chosen, one row a choice; no row is the default.
CREATE TABLE preferences (
    owner TEXT NOT NULL CHECK (owner IN ('person', 'server')),
    owner_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (owner, owner_id, name)
) STRICT, WITHOUT ROWID;
