"""What game masters ask of a table."""
