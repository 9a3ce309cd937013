"""The state of a table, its events, and the folds of events into state. Nothing here decides."""
