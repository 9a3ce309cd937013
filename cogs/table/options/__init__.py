"""Changing the rules of a table before it starts: house rules topic by topic, and themes."""
