"""One tournament as a value, and every step that changes it: pure functions from value to value.

`plan` is what its director has chosen, `tournament` all that it is, with `entries` and `match_state`. Steps stand by
their subject: `entering`, `start`, `rounds`, `matches`, `boards`, `forfeits`, `substitutes`, `rulings`; `alarms` tells
what the clock will ask next, `course` what counts so far. A step either returns the tournament as it is afterwards or
raises `TournamentRefusal`.
"""
