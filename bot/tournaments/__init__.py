"""Tournaments: what communities play for months and evenings, run without anybody adding up by hand.

The rooms, each of which knows only those before it: `course` (what has been played), `standings`, `pairing`, `brackets`
and `boards` (pure, each a chapter of `docs/tournaments.md`), `event` (one tournament as a value and its steps),
`keeping` (how it is stored) and the services that Discord asks.
"""
