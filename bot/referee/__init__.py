"""The referee: positions, the actions tried in them, and what the rules make of them (`docs/referee.md`)."""
