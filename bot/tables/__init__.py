"""Tables, from the lobby to the end of the game; nothing here knows Discord.

Read `state.snapshots` (what a table shows), then `service` (what can be asked of it; each attribute has one subject).
`state.table` is the whole of one table, `state.events` what happened to it, `core.repository` how it changes.
"""
