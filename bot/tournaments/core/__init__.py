"""Loading, changing and storing of tournaments."""
