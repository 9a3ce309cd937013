-- What a person was told of a turn: how far its time had run then, and the message that stands for it. The person has
-- one row a table. `stage` waiting: the turn is to be told yet. `channel_id` without `message_id`: being sent just now.
CREATE TABLE notices (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    person_id INTEGER NOT NULL,
    turn TEXT NOT NULL,
    stage TEXT NOT NULL,
    channel_id INTEGER,
    message_id INTEGER,
    at INTEGER NOT NULL,
    PRIMARY KEY (table_id, person_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX notices_of_person ON notices (person_id);

-- When a person was last called, looked and could not be written to, as JSON text.
CREATE TABLE contacts (
    person_id INTEGER NOT NULL PRIMARY KEY,
    contact TEXT NOT NULL
) STRICT;
