"""Brackets: single and double elimination, second chance (`docs/tournaments.md` 3).

`bracket_slots` lists the slots and where their entries come from, `results` fills the slots, `bracket` puts all
together with final places and second chance, `voided_matches` finds the matches that a changed result voids,
`drawn_trees` arranges a bracket for drawing. Only results are stored; the same results always give the same bracket.
"""
