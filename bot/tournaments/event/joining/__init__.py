"""Who may be in an entry together, and who waits for a partner."""
