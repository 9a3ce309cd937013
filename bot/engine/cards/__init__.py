"""Cards: the pack, kinds and places, counts, notation and shuffling. Knows no rules."""
