"""Standings: what results are worth, what parts equal points, and places, ties shared (`docs/tournaments.md` 4)."""
