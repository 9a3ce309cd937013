"""Time at a table: `timekeeping` charges clocks and handles alarms, `idle` limits games without moves."""
