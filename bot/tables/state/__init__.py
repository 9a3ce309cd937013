"""The state of a table, its events, and how each event changes the state.

Decisions, which return events, are made elsewhere.
"""
