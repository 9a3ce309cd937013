"""The effect of each event on a table, one file a subject of events.

`bot.tables.state.fold` joins them.
"""
