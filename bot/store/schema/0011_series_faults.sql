-- The reason why a series cannot be shown, such as a missing channel or permission, until its end is reported.
CREATE TABLE series_faults (
    series_id INTEGER PRIMARY KEY REFERENCES series (id),
    code TEXT NOT NULL,
    tries INTEGER NOT NULL CHECK (tries > 0),
    again_at INTEGER NOT NULL,
    told_at INTEGER NOT NULL,
    mended INTEGER NOT NULL CHECK (mended IN (0, 1))
) STRICT;
