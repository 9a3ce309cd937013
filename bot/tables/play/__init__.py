"""Playing: moves, deals and the shuffle of a running game."""
