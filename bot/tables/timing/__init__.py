"""Time at a table: its clocks, and when it is halted or idle.

`timekeeping` charges clocks and handles alarms, `halted_tables` postpones deadlines of halted tables, `idle_limit`
limits games without moves.
"""
