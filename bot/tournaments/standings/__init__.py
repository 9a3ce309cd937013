"""Standings: match points, tie-breaks and shared places (`docs/tournaments.md` 4)."""
