"""Loading, changing and storing of tables."""
