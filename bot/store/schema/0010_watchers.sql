-- Who would like a line after each deal of a table without sitting there, and after which deal the last one was sent.
CREATE TABLE watchers (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    person_id INTEGER NOT NULL,
    told INTEGER NOT NULL,
    PRIMARY KEY (table_id, person_id)
) STRICT, WITHOUT ROWID;
