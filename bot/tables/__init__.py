"""Tables, from the lobby to the end of the game; nothing here knows Discord.

Read `looks` (what a table shows), then `service` (what can be asked of it, in two parts, `lobby_service` and
`play_service`). Inside: `record` is the whole of one table, `events` what happened to it, `lobby` and `play` decide,
`ledger` stores, `codec` writes it down.
"""
