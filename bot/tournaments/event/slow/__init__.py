"""Features of slow matches only."""
