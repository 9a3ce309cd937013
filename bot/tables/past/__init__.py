"""What a table's log tells afterwards: the log in words, the replay with open hands, and the record as a file."""
