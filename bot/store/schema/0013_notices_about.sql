-- A person is told of more than turns: votes, offers, ends. `about` is a turn (`<deal>.<turn>`) or the name of whatever
-- else it is, and a person has one row for each. A notice of the end of a game stays: nobody is told of it twice.
CREATE TABLE notices_about (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    person_id INTEGER NOT NULL,
    about TEXT NOT NULL,
    stage TEXT NOT NULL,
    channel_id INTEGER,
    message_id INTEGER,
    at INTEGER NOT NULL,
    PRIMARY KEY (table_id, person_id, about)
) STRICT, WITHOUT ROWID;

INSERT INTO notices_about (table_id, person_id, about, stage, channel_id, message_id, at)
SELECT table_id, person_id, turn, stage, channel_id, message_id, at FROM notices;

DROP TABLE notices;

ALTER TABLE notices_about RENAME TO notices;

CREATE INDEX notices_of_person ON notices (person_id);
