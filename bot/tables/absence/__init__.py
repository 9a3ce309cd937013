"""Absent players: decide about their seats, replace them, and end idle games.

`consequences` computes the events that follow every change of a table. `lost_seats` applies the policy to a player who
is out of time, `votes` and `claims` ask the others, `returns` handles players who come back. `latest_end`, `idle` and
`no_opponents` end games.
"""
