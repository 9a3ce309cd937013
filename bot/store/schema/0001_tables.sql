-- The whole schema of version 1. Instants are UTC milliseconds; ids of Discord fit 63 bits.

CREATE TABLE tables (
    id INTEGER PRIMARY KEY AUTOINCREMENT, -- a number is never used twice: buttons of old tables carry it
    guild_id INTEGER NOT NULL,
    channel_id INTEGER NOT NULL,
    thread_id INTEGER,
    status TEXT NOT NULL CHECK (status IN ('lobby', 'playing', 'finished', 'closed')),
    version INTEGER NOT NULL CHECK (version >= 1),
    opened_by INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    waits_since INTEGER, -- when the turn or question came to the seat that is to act
    snapshot TEXT NOT NULL,
    computer_to_act INTEGER NOT NULL DEFAULT 0 CHECK (computer_to_act IN (0, 1))
) STRICT;

CREATE INDEX tables_by_guild ON tables (guild_id, status);
CREATE INDEX tables_by_opener ON tables (opened_by, status);
CREATE INDEX tables_by_status ON tables (status);
-- So that a start need not read all running games.
CREATE INDEX tables_for_computers ON tables (id) WHERE status = 'playing' AND computer_to_act = 1;

-- The log: one row a version. The primary key refuses a second writer of one version, the request's uniqueness a
-- repetition. A null request is a computer player's or a timer's.
CREATE TABLE actions (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    version INTEGER NOT NULL CHECK (version >= 1),
    request_id INTEGER UNIQUE,
    person_id INTEGER,
    seat INTEGER,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (table_id, version)
) STRICT, WITHOUT ROWID;

-- Who sits where now; the snapshot says in which seat.
CREATE TABLE seated (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    person_id INTEGER NOT NULL,
    PRIMARY KEY (person_id, table_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX seated_by_table ON seated (table_id);

CREATE TABLE timers (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    kind TEXT NOT NULL,
    guild_id INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (table_id, kind)
) STRICT, WITHOUT ROWID;

CREATE INDEX timers_by_instant ON timers (due_at);

-- The message that shows a table, whether the table has moved on since, and who was told of which turn. Few are ever
-- behind, and only those are in the index.
CREATE TABLE messages (
    table_id INTEGER NOT NULL PRIMARY KEY REFERENCES tables (id),
    channel_id INTEGER NOT NULL,
    message_id INTEGER NOT NULL,
    version INTEGER NOT NULL,
    posted_at INTEGER NOT NULL,
    behind INTEGER NOT NULL CHECK (behind IN (0, 1)),
    told TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE INDEX messages_behind ON messages (table_id) WHERE behind = 1;

-- Seeds stand alone, so that no query for anything else can meet one.
CREATE TABLE deal_secrets (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    deal INTEGER NOT NULL,
    seed BLOB NOT NULL,
    commitment TEXT NOT NULL,
    revealed_at INTEGER,
    PRIMARY KEY (table_id, deal)
) STRICT, WITHOUT ROWID;

-- When the bot was last ready, and when it was ready for the first time.
CREATE TABLE heartbeat (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    at INTEGER NOT NULL,
    first_at INTEGER NOT NULL
) STRICT;

-- The last deal of a table whose sheet was posted in a message of its own; no row if none was.
CREATE TABLE sheets (
    table_id INTEGER NOT NULL PRIMARY KEY REFERENCES tables (id),
    deal INTEGER NOT NULL CHECK (deal >= 1)
) STRICT;

-- Messages posted beside the one that shows a table. `tried_at`: when the sweep last showed it. `begun`: whether the
-- message that opens the game was posted. `announced`: null if no message tells of the table's thread, else whether that
-- message offers a seat.
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

-- Who holds or has held a place at a table, one row for each way a person was called there. Names stand here and
-- nowhere else: logs and snapshots have a holder's number. `first` is the lowest number of the same person at the
-- table. A former player has no name, and a `person_id` below zero that no other table has.
CREATE TABLE holders (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    number INTEGER NOT NULL CHECK (number >= 1),
    first INTEGER NOT NULL CHECK (first BETWEEN 1 AND number),
    person_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    account TEXT NOT NULL,
    PRIMARY KEY (table_id, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX holders_by_person ON holders (person_id, table_id);

-- When a person was last given what is kept of it.
CREATE TABLE exports (
    person_id INTEGER NOT NULL PRIMARY KEY,
    at INTEGER NOT NULL
) STRICT;

-- Lessons that a person has finished, by id. A row without an id: the person was told once that there are lessons.
CREATE TABLE lessons (
    person_id INTEGER NOT NULL,
    lesson TEXT NOT NULL,
    done_at INTEGER NOT NULL,
    PRIMARY KEY (person_id, lesson)
) STRICT, WITHOUT ROWID;

-- How each person's finished games ended: one row a person who sat there at the end. `won` tells whether the person's
-- score won; `against` is the highest of the other scores; `canastas` are those of the last `canasta_deals` deals, of
-- which that is known.
CREATE TABLE results (
    person_id INTEGER NOT NULL,
    table_id INTEGER NOT NULL REFERENCES tables (id),
    seat INTEGER NOT NULL,
    side INTEGER NOT NULL,
    rules TEXT NOT NULL,
    players INTEGER NOT NULL,
    persons INTEGER NOT NULL,
    how TEXT NOT NULL,
    won INTEGER NOT NULL CHECK (won IN (0, 1)),
    score INTEGER NOT NULL,
    against INTEGER NOT NULL,
    deals INTEGER NOT NULL,
    best_deal INTEGER,
    canastas INTEGER NOT NULL,
    canasta_deals INTEGER NOT NULL,
    finished_at INTEGER NOT NULL,
    PRIMARY KEY (person_id, table_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX results_by_table ON results (table_id);

-- Whenever the time of a person's seat was used up.
CREATE TABLE lapses (
    person_id INTEGER NOT NULL,
    table_id INTEGER NOT NULL REFERENCES tables (id),
    at INTEGER NOT NULL,
    PRIMARY KEY (person_id, table_id, at)
) STRICT, WITHOUT ROWID;

-- Whom a person would not have at own tables.
CREATE TABLE blocks (
    person_id INTEGER NOT NULL,
    blocked_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (person_id, blocked_id)
) STRICT, WITHOUT ROWID;

-- What persons and servers have chosen, one row a choice; no row is the default.
CREATE TABLE preferences (
    owner TEXT NOT NULL CHECK (owner IN ('person', 'server')),
    owner_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (owner, owner_id, name)
) STRICT, WITHOUT ROWID;

-- The rules that a server has saved under names of its own; `folded` is the name as it is compared.
CREATE TABLE saved_rules (
    guild_id INTEGER NOT NULL,
    folded TEXT NOT NULL,
    name TEXT NOT NULL,
    rules TEXT NOT NULL,
    saved_by INTEGER NOT NULL,
    saved_at INTEGER NOT NULL,
    PRIMARY KEY (guild_id, folded)
) STRICT, WITHOUT ROWID;

-- What game masters did at tables, and why; a row is written with the action that it tells of.
CREATE TABLE audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    guild_id INTEGER NOT NULL,
    table_id INTEGER NOT NULL REFERENCES tables (id),
    person_id INTEGER NOT NULL,
    action TEXT NOT NULL,
    reason TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;

CREATE INDEX audit_by_guild ON audit (guild_id, id);
CREATE INDEX audit_by_table ON audit (table_id, id);

-- Who would like a line after each deal of a table without sitting there, and after which deal the last one was sent.
CREATE TABLE watchers (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    person_id INTEGER NOT NULL,
    told INTEGER NOT NULL,
    PRIMARY KEY (table_id, person_id)
) STRICT, WITHOUT ROWID;

-- What a person was told of a table, and the message that says so. `about` is a turn (`<deal>.<turn>`) or the name of
-- something else (votes, offers, ends), and a person has one row for each. `stage` says how far the time had run then;
-- `waiting`: the person is still to be told. `channel_id` without `message_id`: it is being sent. A notice of the end of
-- a game stays, so that no one is told of it twice.
CREATE TABLE notices (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    person_id INTEGER NOT NULL,
    about TEXT NOT NULL,
    stage TEXT NOT NULL,
    channel_id INTEGER,
    message_id INTEGER,
    at INTEGER NOT NULL,
    PRIMARY KEY (table_id, person_id, about)
) STRICT, WITHOUT ROWID;

CREATE INDEX notices_of_person ON notices (person_id);

-- When a person was last called, looked and could not be written to, as JSON text.
CREATE TABLE contacts (
    person_id INTEGER NOT NULL PRIMARY KEY,
    contact TEXT NOT NULL
) STRICT;

-- What a person has prepared for the own next turn at a table: JSON text, for nobody else to see. It stands beside the
-- table and never changes its version, so that nothing anybody else sees tells of it.
CREATE TABLE premoves (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    person_id INTEGER NOT NULL,
    prepared TEXT NOT NULL,
    PRIMARY KEY (table_id, person_id)
) STRICT, WITHOUT ROWID;

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

-- Tournaments, what was done to them, and what goes with them. A tournament's texts name persons by their numbers here.
CREATE TABLE tournaments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    guild_id INTEGER NOT NULL,
    channel_id INTEGER NOT NULL,
    stage TEXT NOT NULL,
    version INTEGER NOT NULL CHECK (version >= 1),
    due_at INTEGER, -- when the clock asks something next
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    snapshot TEXT NOT NULL
) STRICT;

CREATE INDEX tournaments_by_guild ON tournaments (guild_id, stage);
CREATE INDEX tournaments_by_due ON tournaments (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE tournament_people (
    tournament_id INTEGER NOT NULL REFERENCES tournaments (id),
    number INTEGER NOT NULL,
    person_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (tournament_id, number)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX tournament_people_by_person ON tournament_people (person_id, tournament_id);

-- The log: one row a version, each with who did it (0 for the clock and the tables) and why.
CREATE TABLE tournament_steps (
    tournament_id INTEGER NOT NULL REFERENCES tournaments (id),
    version INTEGER NOT NULL,
    request_id INTEGER UNIQUE,
    person_number INTEGER NOT NULL,
    kind TEXT NOT NULL,
    detail TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (tournament_id, version)
) STRICT, WITHOUT ROWID;

-- The lot and the seeds of boards stand alone, so that no query for anything else can meet one.
CREATE TABLE tournament_secrets (
    tournament_id INTEGER NOT NULL REFERENCES tournaments (id),
    name TEXT NOT NULL,
    seed BLOB NOT NULL,
    PRIMARY KEY (tournament_id, name)
) STRICT, WITHOUT ROWID;

-- Messages that show a tournament, by what they show. One without a number was begun and perhaps never sent.
CREATE TABLE tournament_posts (
    tournament_id INTEGER NOT NULL REFERENCES tournaments (id),
    name TEXT NOT NULL,
    channel_id INTEGER NOT NULL,
    message_id INTEGER,
    digest TEXT NOT NULL,
    PRIMARY KEY (tournament_id, name)
) STRICT, WITHOUT ROWID;

-- The log of rated matches, to which rows are only added: a row of a match replaces its earlier one, and one that is
-- `void` takes it back. `tournament` is 0 for a table of its own, whose number `number` then is.
CREATE TABLE rating_log (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    tournament INTEGER NOT NULL,
    number INTEGER NOT NULL,
    family TEXT NOT NULL,
    players INTEGER NOT NULL,
    guild_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    void INTEGER NOT NULL CHECK (void IN (0, 1)),
    margin INTEGER, -- by how many card points the first of two sides was ahead, in so many deals; null if ranks count
    deals INTEGER CHECK ((deals IS NULL) = (margin IS NULL)),
    unit INTEGER CHECK ((unit IS NULL) = (margin IS NULL)) -- the unit of swing of the rules
) STRICT;

CREATE INDEX rating_log_by_match ON rating_log (tournament, number, seq);
CREATE INDEX rating_log_by_ladder ON rating_log (family, players, at);

-- Who is rated in a match of the log, seat by seat. What comes before and after follows from the log and is figured anew
-- with a correction; `mu_after` is empty where the person is not rated.
CREATE TABLE rating_places (
    seq INTEGER NOT NULL REFERENCES rating_log (seq),
    side INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    person_id INTEGER NOT NULL,
    rank INTEGER NOT NULL,
    share REAL NOT NULL,
    lost INTEGER NOT NULL CHECK (lost IN (0, 1)),
    mu_before REAL,
    sigma_before REAL,
    mu_after REAL,
    sigma_after REAL,
    PRIMARY KEY (seq, side, seat)
) STRICT, WITHOUT ROWID;

CREATE INDEX rating_places_of_person ON rating_places (person_id);

-- The two persons of a side as one player, in matches whose sides are all rated pairs; they follow from the log too.
CREATE TABLE rating_pairs (
    seq INTEGER NOT NULL REFERENCES rating_log (seq),
    side INTEGER NOT NULL,
    mu_before REAL NOT NULL,
    sigma_before REAL NOT NULL,
    mu_after REAL NOT NULL,
    sigma_after REAL NOT NULL,
    PRIMARY KEY (seq, side)
) STRICT, WITHOUT ROWID;

-- The current rating of every person, with `partner_id` 0, and of every pair, the lower number first. They follow from
-- the log.
CREATE TABLE ratings (
    family TEXT NOT NULL,
    players INTEGER NOT NULL,
    person_id INTEGER NOT NULL,
    partner_id INTEGER NOT NULL CHECK (partner_id = 0 OR partner_id > person_id),
    mu REAL NOT NULL,
    sigma REAL NOT NULL,
    last INTEGER NOT NULL,
    matches INTEGER NOT NULL,
    PRIMARY KEY (family, players, person_id, partner_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX ratings_of_person ON ratings (person_id);
CREATE INDEX ratings_of_partner ON ratings (partner_id) WHERE partner_id > 0;

-- The number of the law by which all ratings were computed; no row in a new file.
CREATE TABLE rating_law (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    number INTEGER NOT NULL
) STRICT;

-- Effects that a change has promised and that no stored state shows to be missing, written with that change. `args` is
-- JSON of numbers. A promise made again while it waits has the next `generation`.
CREATE TABLE outbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    guild_id INTEGER,
    person_id INTEGER,
    args TEXT NOT NULL,
    generation INTEGER NOT NULL DEFAULT 1,
    made_at INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0,
    UNIQUE (kind, key)
) STRICT;

CREATE INDEX outbox_by_instant ON outbox (due_at);
