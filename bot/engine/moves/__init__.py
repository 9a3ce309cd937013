"""Moves: what seats can do, what happens, and why something is refused, each with its paragraph."""
