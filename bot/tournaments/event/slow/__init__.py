"""What only slow matches have."""
