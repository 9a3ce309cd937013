"""Absence: what becomes of seats whose persons are gone, of those who come for them, and of games nobody touches.

`values` is what a record keeps of it, `events` what happens, `folding` what the events make of the values. `voting` is
about an absent person's seat, `claims` about those who would like to have one, `carrying` what is done with a seat,
`ending` ends that come by themselves; `following` is what any change of a table brings about in all this.
"""
