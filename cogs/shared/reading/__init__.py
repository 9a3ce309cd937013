"""Parse what users type or choose: cards, melds, times and custom ids; report what is wrong with it."""
