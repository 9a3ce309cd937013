"""What the features of the Discord side share.

`ids` (the grammar of custom ids), `routing` (who answers a control), `context` (what every answer needs), `errors` and
`replies` (the one way out), `calls` (outgoing calls that may fail), `cards_input` (reading cards), `board`, `lobby`,
`panel` (pure renderers) and `presenter` (the one that keeps boards up to date).
"""
