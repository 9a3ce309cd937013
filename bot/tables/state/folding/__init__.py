"""What each event does to a table, one file a subject of events; `bot.tables.state.fold` joins them."""
