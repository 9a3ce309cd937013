"""Drawing rounds: pure functions of a course, an order and a seed (`docs/tournaments.md` 3)."""
