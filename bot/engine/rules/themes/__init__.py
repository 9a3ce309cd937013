"""Themes: what leagues lay over any rule set for an evening, as conditions that the engine enforces.

`conditions` is what a theme is made of, `library` the themes by name, `force` what those of a table ask of the seat in
turn, `clashes` why themes cannot be played together. Rule sets without a theme never come here (`RuleSet.theme`).
"""
