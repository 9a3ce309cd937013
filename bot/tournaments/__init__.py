"""Tournaments: their values, formats and rules, and the services that the Discord side calls.

Each package imports only those before it in this list: `format_traits` (facts of every format), `counted_results` (the
results that count), `standings`, `pairing`, `brackets` and `boards` (pure functions, each for one chapter of
`docs/tournaments.md`), `event` (one tournament as a value, and its steps), `core` (storing and changing it), `formats`
(what differs by format), `rounds` and `table_sync`, and the services.
"""
