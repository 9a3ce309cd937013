"""Ratings: players' strength, estimated from their rated matches (`docs/tournaments.md` 5)."""
