"""Reading: what people write and choose, as cards, drafts, moves, times and controls, and the problems with it."""
