"""A table's past, from its log: the log of a deal, the replay with open hands, the record file."""
