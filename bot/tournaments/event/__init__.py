"""One tournament as a value, and every step that changes it: pure functions from value to value.

`plan` is what its director has chosen, `values` all that a tournament is, with `entrants` and `contests`. A step has a
module by its subject: `entering`, `check_in`, `rounds`, `matches`, `forfeits`, `substitutes`, `rulings`; `alarms` tells
what the clock will ask next, `course_of` what counts of it. A step either gives the tournament as it is afterwards or
raises `TournamentRefusal`.
"""
