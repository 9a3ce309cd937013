-- Version 17: each process of a fleet waits only because of bad starts of its own shards; `shard` is the first of them.

ALTER TABLE starts ADD COLUMN shard INTEGER NOT NULL DEFAULT 0;
