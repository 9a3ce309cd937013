"""Panels that change a table's rules before it starts: house rules by topic, and themes."""
