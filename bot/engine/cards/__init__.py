"""Cards: the pack, its kinds and places, counts of cards, their notation, and shuffling. It knows no rules."""
