"""The rules of one table in a card player's sentences, each module about a part of the game."""
