"""Where a table is shown: its channel, thread, messages and spectators."""
