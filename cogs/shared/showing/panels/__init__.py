"""The private panel of a seat: what the player should do, what happened, the hand, and controls.

Start with `titles` (the `Stage` of a seat and its sentences), then `panel` (what a panel shows in each stage).
`buttons` and `menus` have the controls. `cogs.shared.posting.live_panels` updates the panels that people have open
while Discord lets it edit them.
"""
