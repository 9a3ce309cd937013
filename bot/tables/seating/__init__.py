"""Who sits where: seats, admission, rules of a new table, roll call. Pure."""
