"""Time at a table: `timekeeping` charges clocks and handles alarms, `idle_limit` limits games without moves."""
