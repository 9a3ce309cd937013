"""Absent players: decide about their seats, replace them, and end idle games.

`consequences` computes the events that follow every change of a table. `lost_seats` applies the policy to a player who
is out of time, `votes` and `claims` ask the others, `returning_players` handles players who come back. `latest_end`,
`idle_games` and `no_opponents` end games.
"""
