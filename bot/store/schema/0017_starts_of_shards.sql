-- Version 17: each process of a fleet waits for the bad starts of its own shards only; `shard` is the first of them.

ALTER TABLE starts ADD COLUMN shard INTEGER NOT NULL DEFAULT 0;
