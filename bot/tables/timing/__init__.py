"""Time at a table: `timekeeping` is what a change charges and when clocks ring, `idle` how long games are kept."""
