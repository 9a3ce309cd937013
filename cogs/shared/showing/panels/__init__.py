"""The private panel of a seat: what is wanted, what has happened, the hand, and the controls for all of it.

Read `stages` (which of some twenty states a seat is in), then `panel_page` (what a panel shows in each). `titles` has
the sentences, `buttons` and `menus` the controls, `more` what is rarely wanted. `cogs.shared.posting.live_panels`
keeps the
one panel of a person and table true while Discord lets it be edited.
"""
