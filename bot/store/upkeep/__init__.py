"""Maintenance of the database file: unreadable data, backups, restoring, checks, repairs and archives."""
