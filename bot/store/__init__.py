"""What is kept, in SQLite: the only place with SQL."""
