-- Version 14: a closed tournament is packed after a week too: its value, parts and log become one row.

-- `packed` is what `bot/store/upkeep/tournament_archives.py` makes of them; `sha256` is the hash before compression.
-- The tournament's snapshot is empty then. Migrations that change stored texts must change the packed ones too.
CREATE TABLE tournament_archives (
    tournament_id INTEGER NOT NULL PRIMARY KEY REFERENCES tournaments (id),
    packed BLOB NOT NULL,
    sha256 TEXT NOT NULL
) STRICT;

CREATE INDEX tournaments_to_pack ON tournaments (updated_at, id)
WHERE stage IN ('closed', 'cancelled') AND snapshot <> '';

-- A packed tournament is unpacked before it is changed.
CREATE TRIGGER archived_tournaments_are_unpacked_first BEFORE INSERT ON tournament_steps
WHEN EXISTS (SELECT 1 FROM tournament_archives WHERE tournament_id = NEW.tournament_id)
BEGIN
    SELECT RAISE(ABORT, 'archived');
END;
