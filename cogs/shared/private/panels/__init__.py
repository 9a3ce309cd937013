"""The private panel of a seat: what is wanted, what has happened, the hand, and the controls for all of it.

Read `stages` (which of some twenty states a seat is in), then `page` (what a panel shows in each). `titles` has the
sentences, `buttons` and `menus` the controls, `more` what is rarely wanted. `living` keeps the one panel of a person
and table true while Discord lets it be edited. `ways` are the ways to take the pile, which commands use too.
"""
