"""Cards as people write and choose them: text to cards, drafts of melds, moves, and what controls carry of them."""
