"""A turn: what players do in a running game."""
