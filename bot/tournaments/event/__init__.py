"""One tournament as a value, and the pure functions that change it.

`plan` is what its director has chosen, `tournament` the whole value, with `entries` and `match_state`. Steps are
grouped by subject: `entering`, `start`, `rounds`, `matches`, `boards`, `forfeits`, `substitutes`, `rulings`; `alarms`
derives when the clock must act next, `course` the results that count. A step returns the changed tournament or raises
`TournamentRefusal`.
"""
