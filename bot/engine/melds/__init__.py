"""Melds: what lies before a side, which cards make it, what canastas they are and what all of that counts."""
