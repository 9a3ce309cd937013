-- The last deal of a table whose sheet stands in a message of its own; no row where none does. Sheets of deals that
-- ended before there were such messages are not shown afterwards.
CREATE TABLE sheets (
    table_id INTEGER NOT NULL PRIMARY KEY REFERENCES tables (id),
    deal INTEGER NOT NULL CHECK (deal >= 1)
) STRICT;

INSERT INTO sheets (table_id, deal)
SELECT id, deals FROM (
    SELECT id, CASE WHEN json_valid(snapshot) THEN json_array_length(snapshot, '$.game.results') END AS deals
    FROM tables
)
WHERE deals >= 1;
