"""Absent players: what happens to their seats, who replaces them, and when idle games end.

`rules` are the consequences of any change, `claims` decides who may get a seat held by a computer player, `idle` when a
game that nobody touches is closed.
"""
