-- When the bot was away: from an instant up to, and without, a later one. An outage is one row; no timer is moved.
CREATE TABLE outages (
    start_at INTEGER NOT NULL PRIMARY KEY,
    end_at INTEGER NOT NULL CHECK (end_at > start_at)
) STRICT;

-- A person's quiet hours and days of vacation, as JSON text; no row where there are none.
CREATE TABLE personal_times (
    person_id INTEGER NOT NULL PRIMARY KEY,
    times TEXT NOT NULL
) STRICT;
