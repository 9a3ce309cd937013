"""Maintenance of the database: unreadable data, backups, restoring, checks, repairs and archives."""
