"""Melds: the cards that make one, the melds of a side, canastas, and their points."""
