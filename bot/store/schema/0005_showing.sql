-- Whether a computer player is to act in a running game, so that a start need not read all of them; null in rows of
-- before: unknown.
ALTER TABLE tables ADD COLUMN computer_to_act INTEGER CHECK (computer_to_act IN (0, 1));

CREATE INDEX tables_for_computers ON tables (id) WHERE status = 'playing' AND computer_to_act IS NOT 0;

-- Who has been told of which turn by the message that shows the table.
ALTER TABLE messages ADD COLUMN told TEXT NOT NULL DEFAULT '';

-- What stands beside the message that shows a table. `tried_at`: when the sweep last had it shown. `begun`: whether
-- the message that opens the game was posted. `announced`: null where no message tells of the table's thread, else
-- whether that message offers a seat.
CREATE TABLE showings (
    table_id INTEGER NOT NULL PRIMARY KEY REFERENCES tables (id),
    tried_at INTEGER NOT NULL DEFAULT 0,
    begun INTEGER NOT NULL DEFAULT 0 CHECK (begun IN (0, 1)),
    announced INTEGER CHECK (announced IN (0, 1))
) STRICT;

-- Servers that the bot is no longer in, and since when.
CREATE TABLE departures (
    guild_id INTEGER NOT NULL PRIMARY KEY,
    at INTEGER NOT NULL
) STRICT;
