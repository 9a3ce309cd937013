"""Absent players: what happens to their seats, who replaces them, and when idle games end.

`consequences` follow every change. `lost_seats` applies the policy to a player who is out of time, `votes` and `claims`
ask the others, `returns` handles players who come back. `latest_end`, `idle` and `no_opponents` end games.
"""
