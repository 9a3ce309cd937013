"""The rules of one table in sentences for card players; each module covers a part of the game."""
