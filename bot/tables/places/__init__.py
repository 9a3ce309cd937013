"""The places of a table on Discord: channel, thread, messages and spectators."""
