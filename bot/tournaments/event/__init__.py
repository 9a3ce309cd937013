"""One tournament as a value, and the pure functions that change it.

`plan` holds what its director has chosen, `tournament` the whole value, `entries` and `match_state` its parts. Steps
are grouped by subject: `entering`, `start`, `rounds`, `matches`, `boards`, `forfeits`, `substitutes`, `rulings`.
`alarms` derives the times at which something is due, `counted_results` the results that count. A step returns the
changed tournament or raises `TournamentRefusal`.
"""
