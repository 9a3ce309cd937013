"""Where a table is shown: channel, thread, messages, spectators."""
