"""Brackets: single and double elimination and second chance (`docs/tournaments.md` 3), from terms and results alone.

`terms` is what is agreed and what one match has come to, `slots` the places of a bracket, `plan` which slots there are
and who comes from where, `resolving` who stands in them, `second` who gets a second chance, `places` how all end,
`bracket` all of it together, `mending` what a changed result voids, `trees` the bracket as it is drawn, `from_course`
the way from a tournament's matches. Nothing is kept beside the results: whoever derives a bracket twice has it twice.
"""
