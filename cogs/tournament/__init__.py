"""Tournaments for organisers and players: the wizard, entering, checking in, rounds and standings."""
