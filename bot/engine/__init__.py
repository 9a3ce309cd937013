"""The rules of the game: pure, and built on the standard library alone.

Read `cards`, `rules`, `state`, `actions` and `events` first; then `decide` (state and action to events, or a
refusal) and `evolve` (state and event to state). Everything else answers questions about a state: `legal`,
`scoring`, `views`, `invariants`, `notation`.
"""
