"""The table: the state of a game, how events change it, themes, and the form of the views."""
