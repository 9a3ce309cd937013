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
