"""Ratings: how strong players are, by what they have played (`docs/tournaments.md` 5)."""
