"""Drawing rounds: pure functions of a course, an order and the lot (`docs/tournaments.md` 3)."""
