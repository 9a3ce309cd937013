"""Cards: the pack, its kinds and places, counts of cards, their notation, and shuffling. The rules are not known."""
