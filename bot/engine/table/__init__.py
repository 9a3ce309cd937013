"""The table: the state of a game, how events change it, what themes ask of it, and what each viewer may see."""
