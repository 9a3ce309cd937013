-- The whole schema of version 1. Instants are UTC milliseconds; ids of Discord fit 63 bits.

CREATE TABLE tables (
    id INTEGER PRIMARY KEY AUTOINCREMENT, -- a number is never reused, because buttons of old tables carry it
    guild_id INTEGER NOT NULL,
    channel_id INTEGER NOT NULL,
    thread_id INTEGER,
    status TEXT NOT NULL CHECK (status IN ('lobby', 'playing', 'finished', 'closed')),
    version INTEGER NOT NULL CHECK (version >= 1),
    opened_by INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    waits_since INTEGER, -- when the turn or question came to the seat that must act; null if none must
    snapshot TEXT NOT NULL,
    computer_to_act INTEGER NOT NULL DEFAULT 0 CHECK (computer_to_act IN (0, 1))
) STRICT;

CREATE INDEX tables_by_guild ON tables (guild_id, status);
CREATE INDEX tables_by_opener ON tables (opened_by, status);
CREATE INDEX tables_by_status ON tables (status);
-- Lets a start find the games that wait for a computer player without reading all running games.
CREATE INDEX tables_for_computers ON tables (id) WHERE status = 'playing' AND computer_to_act = 1;

-- The log: one row for each version. The primary key rejects a second writer of the same version, and the unique
-- request id rejects a repetition. The request is null for computer players and timers.
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

-- The people seated now; the snapshot says in which seat.
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

-- The message that shows a table, whether the table has changed since, and which people were told of which turn. The
-- index holds only the few messages that are behind.
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

-- Seeds have a table of their own, so that no query for other data can return one.
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

-- The last deal of a table whose score sheet was posted in its own message; no row if there is none.
CREATE TABLE sheets (
    table_id INTEGER NOT NULL PRIMARY KEY REFERENCES tables (id),
    deal INTEGER NOT NULL CHECK (deal >= 1)
) STRICT;

-- Messages posted besides the one that shows a table. `tried_at`: when showing the table last failed. `begun`: whether
-- the message that opens the game was posted. `announced`: null if no message announces the table's thread, else
-- whether that message offers a seat.
CREATE TABLE showings (
    table_id INTEGER NOT NULL PRIMARY KEY REFERENCES tables (id),
    tried_at INTEGER NOT NULL DEFAULT 0,
    begun INTEGER NOT NULL DEFAULT 0 CHECK (begun IN (0, 1)),
    announced INTEGER CHECK (announced IN (0, 1))
) STRICT;

-- Servers that the bot has left, and since when.
CREATE TABLE departures (
    guild_id INTEGER NOT NULL PRIMARY KEY,
    at INTEGER NOT NULL
) STRICT;

-- Outages of the bot, from an instant up to (and without) a later one. An outage is one row; it moves no timer.
CREATE TABLE outages (
    start_at INTEGER NOT NULL PRIMARY KEY,
    end_at INTEGER NOT NULL CHECK (end_at > start_at)
) STRICT;

-- A person's quiet hours and days of vacation, as JSON text; no row if there are none.
CREATE TABLE personal_times (
    person_id INTEGER NOT NULL PRIMARY KEY,
    times TEXT NOT NULL
) STRICT;

-- The people who hold or have held a place at a table: one row for each name that a person had there. Names are stored
-- only here: logs and snapshots have a holder's number. `first` is the lowest number of the same person at the table. A
-- former player has no name, and a `person_id` below zero that no other table has.
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

-- When a person's data was last exported.
CREATE TABLE exports (
    person_id INTEGER NOT NULL PRIMARY KEY,
    at INTEGER NOT NULL
) STRICT;

-- Lessons that a person has finished, by id. A row without an id says that lessons were offered to the person.
CREATE TABLE lessons (
    person_id INTEGER NOT NULL,
    lesson TEXT NOT NULL,
    done_at INTEGER NOT NULL,
    PRIMARY KEY (person_id, lesson)
) STRICT, WITHOUT ROWID;

-- Results of finished games: one row for each person seated at the end. `won` says whether the person's score won;
-- `against` is the highest of the other scores; `canastas` counts those of the `canasta_deals` deals for which their
-- number is known.
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

-- Each time that a person's time at a seat ran out.
CREATE TABLE lapses (
    person_id INTEGER NOT NULL,
    table_id INTEGER NOT NULL REFERENCES tables (id),
    at INTEGER NOT NULL,
    PRIMARY KEY (person_id, table_id, at)
) STRICT, WITHOUT ROWID;

-- People whom a person does not want at tables that they host.
CREATE TABLE blocks (
    person_id INTEGER NOT NULL,
    blocked_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (person_id, blocked_id)
) STRICT, WITHOUT ROWID;

-- Choices of persons and servers, one row for each; a choice without a row has its default.
CREATE TABLE preferences (
    owner TEXT NOT NULL CHECK (owner IN ('person', 'server')),
    owner_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (owner, owner_id, name)
) STRICT, WITHOUT ROWID;

-- The rules that a server has saved under its own names; `folded` is the name for comparisons.
CREATE TABLE saved_rules (
    guild_id INTEGER NOT NULL,
    folded TEXT NOT NULL,
    name TEXT NOT NULL,
    rules TEXT NOT NULL,
    saved_by INTEGER NOT NULL,
    saved_at INTEGER NOT NULL,
    PRIMARY KEY (guild_id, folded)
) STRICT, WITHOUT ROWID;

-- Actions of game masters at tables, with their reasons; each row is written with its action.
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

-- Spectators, who get a line after each deal of a table, and the deal after which the last line was sent.
CREATE TABLE watchers (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    person_id INTEGER NOT NULL,
    told INTEGER NOT NULL,
    PRIMARY KEY (table_id, person_id)
) STRICT, WITHOUT ROWID;

-- Notices to persons about a table, and the message that shows each. `about` is a turn (`<deal>.<turn>`) or the name of
-- another matter (votes, offers, ends); a person has one row for each. `stage` says how much of the time was used then;
-- `waiting`: the notice is still to be sent. `channel_id` without `message_id`: it is being sent. A notice of the end
-- of a game is kept, so that nobody is told of the end twice.
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

-- When a person was last mentioned, last used the bot, and last refused a direct message, as JSON text.
CREATE TABLE contacts (
    person_id INTEGER NOT NULL PRIMARY KEY,
    contact TEXT NOT NULL
) STRICT;

-- Moves that a person has prepared for their next turn at a table, as JSON text that nobody else may see. They are
-- stored beside the table and never change its version, so that nothing that others see reveals them.
CREATE TABLE premoves (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    person_id INTEGER NOT NULL,
    prepared TEXT NOT NULL,
    PRIMARY KEY (table_id, person_id)
) STRICT, WITHOUT ROWID;

-- The tables of tournaments: each is the `number`th table of its match. If the process dies as it opens a table, the
-- next one finds that table here and opens no second one. A sealed table is not listed among the finished ones.
CREATE TABLE contest_tables (
    table_id INTEGER PRIMARY KEY REFERENCES tables (id),
    tournament INTEGER NOT NULL,
    match INTEGER NOT NULL,
    number INTEGER NOT NULL,
    sealed INTEGER NOT NULL,
    UNIQUE (tournament, match, number)
) STRICT;

-- Tournaments, their logs, and their parts. A tournament's texts name persons by their numbers in `tournament_people`.
CREATE TABLE tournaments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    guild_id INTEGER NOT NULL,
    channel_id INTEGER NOT NULL,
    stage TEXT NOT NULL,
    version INTEGER NOT NULL CHECK (version >= 1),
    due_at INTEGER, -- when the next alarm rings
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

-- The log: one row for each version, each with the person who acted (0 for the clock and the tables) and the reason.
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

-- The seeds of the draw and of boards have a table of their own, so that no query for other data can return one.
CREATE TABLE tournament_secrets (
    tournament_id INTEGER NOT NULL REFERENCES tournaments (id),
    name TEXT NOT NULL,
    seed BLOB NOT NULL,
    PRIMARY KEY (tournament_id, name)
) STRICT, WITHOUT ROWID;

-- Messages that show a tournament, by the part that they show. Without a message id, sending was begun but perhaps not
-- finished.
CREATE TABLE tournament_posts (
    tournament_id INTEGER NOT NULL REFERENCES tournaments (id),
    name TEXT NOT NULL,
    channel_id INTEGER NOT NULL,
    message_id INTEGER,
    digest TEXT NOT NULL,
    PRIMARY KEY (tournament_id, name)
) STRICT, WITHOUT ROWID;

-- The log of rated matches, to which rows are only added: a later row of a match replaces the earlier one, and a `void`
-- row cancels it. `tournament` is 0 for a casual table, whose number is then `number`.
CREATE TABLE rating_log (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    tournament INTEGER NOT NULL,
    number INTEGER NOT NULL,
    family TEXT NOT NULL,
    players INTEGER NOT NULL,
    guild_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    void INTEGER NOT NULL CHECK (void IN (0, 1)),
    margin INTEGER, -- by how many card points the first of two sides led, over `deals` deals; null if only the ranks count
    deals INTEGER CHECK ((deals IS NULL) = (margin IS NULL)),
    unit INTEGER CHECK ((unit IS NULL) = (margin IS NULL)) -- the unit of swing of the rules
) STRICT;

CREATE INDEX rating_log_by_match ON rating_log (tournament, number, seq);
CREATE INDEX rating_log_by_ladder ON rating_log (family, players, at);

-- The rated people of a match in the log, seat by seat. Their ratings before and after it follow from the log and are
-- computed again after a correction; `mu_after` is null if the person is not rated.
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

-- The two persons of a side rated as one player, in matches whose sides are all rated pairs; they too follow from the
-- log.
CREATE TABLE rating_pairs (
    seq INTEGER NOT NULL REFERENCES rating_log (seq),
    side INTEGER NOT NULL,
    mu_before REAL NOT NULL,
    sigma_before REAL NOT NULL,
    mu_after REAL NOT NULL,
    sigma_after REAL NOT NULL,
    PRIMARY KEY (seq, side)
) STRICT, WITHOUT ROWID;

-- The current rating of every person, with `partner_id` 0, and of every pair, under its lower number. All follow from
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

-- The version of the rules of ratings by which all ratings were computed; no row in a new file.
CREATE TABLE rating_law (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    number INTEGER NOT NULL
) STRICT;

-- Effects that a change has promised, written with that change, because no other stored state shows that they are
-- missing. `args` is a JSON object of numbers. A promise made again while it waits has the next `generation`.
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
