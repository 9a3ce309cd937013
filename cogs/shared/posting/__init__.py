"""Posting: keeps the messages of tables and the private panels true on Discord, each request within a budget."""
