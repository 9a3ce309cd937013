"""Tournaments: what communities play for months and evenings, run without anybody adding up by hand.

The rooms, each of which knows only those before it: `traits` (facts of every format), `course` (what has been
played), `standings`, `pairing`, `brackets` and `boards` (pure, each a chapter of `docs/tournaments.md`), `event` (one
tournament as a value and its steps), `core` (how it is stored and changed), `formats` (what each format decides),
`rounds` and `tables`, and the services that Discord asks.
"""
