"""Time: only `clock` reads the system clock; `scheduler` is the only timer of stored deadlines."""
