"""A table's past, read from its log: logs of deals, replays with open hands, record files."""
