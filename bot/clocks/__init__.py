"""Time: `clock` is the one caller of the wall clock, `scheduler` the one sleeper for all stored deadlines."""
