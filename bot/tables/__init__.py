"""Tables, from the lobby to the end of the game, without any code that uses Discord.

Read `state.snapshots` first (the data that viewers get), then `service` (all requests; each attribute has one subject).
`state.table` is the state of one table, `state.events` its events, `core.repository` how it changes.
"""
