"""Absence: what becomes of seats whose persons are gone, of those who come for them, and of games nobody touches.

`rules` is what any change brings about, `claims` who may have a seat that a computer player holds.
"""
