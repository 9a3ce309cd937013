"""Notices: who is told that a turn waits, when, how, and what becomes of the message afterwards."""
