"""Themes: what leagues lay over any rule set for an evening, as conditions that the engine enforces.

`conditions` is what a theme is made of, `composing` a table's own themes, `library` the themes by name and as
data. What the themes of a table ask of the seat in turn stands in `bot.engine.table.force`, why themes cannot
be played together in `bot.engine.law.theme_clashes`.
"""
