"""Parse typed or chosen cards, melds, times and custom ids, and report problems with them."""
