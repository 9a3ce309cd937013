"""Clocks: `clock` alone reads the system time, and `scheduler` is the only timer of stored deadlines."""
