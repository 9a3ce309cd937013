"""Themes: extra conditions that leagues add to any rule set for an evening; the engine enforces them.

`conditions` defines what a theme consists of, `own_themes` makes a table's own themes, `named_themes` holds the named
themes as data. `bot.engine.table.themes_in_force` tells what the themes demand of the seat in turn,
`bot.engine.law.theme_clashes` why themes cannot be combined.
"""
