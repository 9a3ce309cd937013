"""Time at a table: `settings` is what a table is set to, `clocks` the clocks in its record.

`owing` says who is on the clock, `keeper` what a change of the table charges and when the clock rings next.
"""
