"""Positions and cases as data, read and written (`docs/referee.md`)."""
