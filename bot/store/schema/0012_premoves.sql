-- What a person has prepared for the own next turn at a table: JSON text, for nobody else to see. It stands beside the
-- table and never changes its version, so that nothing anybody else sees tells of it.
CREATE TABLE premoves (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    person_id INTEGER NOT NULL,
    prepared TEXT NOT NULL,
    PRIMARY KEY (table_id, person_id)
) STRICT, WITHOUT ROWID;
