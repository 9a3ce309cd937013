"""The effect of each event on a table's state, with one file for each subject.

`bot.tables.state.fold` joins them.
"""
