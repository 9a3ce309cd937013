-- What game masters did at tables, and why; a row is written with the action that it tells of.
CREATE TABLE audit (
    id INTEGER PRIMARY KEY,
    guild_id INTEGER NOT NULL,
    table_id INTEGER NOT NULL REFERENCES tables (id),
    person_id INTEGER NOT NULL,
    action TEXT NOT NULL,
    reason TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;

CREATE INDEX audit_by_guild ON audit (guild_id, id);
CREATE INDEX audit_by_table ON audit (table_id, id);
