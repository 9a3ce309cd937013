"""What the features of the Discord side share, in five rooms.

`interactions` is what comes from Discord and goes back to it: custom ids, routing, answers in time, layouts, calls that
may fail. `cards` reads what people write and choose, and puts melds together. `telling` makes sentences of what
happened, of scores, rules and refusals. `boards` is what everybody sees, with the one presenter that keeps it true;
`private` is what one person sees: the panel, its pictures, scores.
"""
