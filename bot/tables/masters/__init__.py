"""masters."""
