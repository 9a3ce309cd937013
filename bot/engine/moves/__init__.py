"""Moves: what seats can do, what happens, and why something is refused; with the paragraph of each refusal."""
