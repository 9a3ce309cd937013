"""Brackets: single and double elimination and second chance (`docs/tournaments.md` 3), from terms and results alone.

`plan` tells which slots there are and who comes from where, `results` who stands in them, `bracket` all of it together
with how all end and who gets a second chance, `mending` what a changed result voids, `trees` the bracket as it is
drawn. Nothing is kept beside the results: whoever derives a bracket twice has it twice.
"""
