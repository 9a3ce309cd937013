"""Seats: admission, rules of a new table, roll call. Pure."""
