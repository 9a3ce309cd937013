"""Rules for forming entries, and the pool of persons waiting for a partner."""
