-- Which tables belong to a tournament: the `number`th table of that match. So a table that was opened in the moment of a
-- crash is found again, and no other is opened in its place. A sealed table is not listed among the finished ones.
CREATE TABLE contest_tables (
    table_id INTEGER PRIMARY KEY REFERENCES tables (id),
    tournament INTEGER NOT NULL,
    match INTEGER NOT NULL,
    number INTEGER NOT NULL,
    sealed INTEGER NOT NULL,
    UNIQUE (tournament, match, number)
) STRICT;
