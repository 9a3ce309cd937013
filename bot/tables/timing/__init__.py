"""Time at a table: `timekeeping` charges clocks and handles their alarms, `idle` limits games without moves."""
