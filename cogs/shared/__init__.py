"""Code that several Discord features share, in seven packages; each imports only those before it.

1. `reading`: parse what users type or choose (cards, melds, times, custom ids). Pure, without Discord's library.
2. `telling`: turn events, scores, rules and refusals into sentences.
3. `discord_api`: Discord components, answers to interactions, and outgoing calls that may fail.
4. `showing`: build pages: board, lobby, sheets, questions, private panels (`showing.panels`). Sends nothing.
5. `posting`: keep the messages of tables and the private panels up to date, within a request budget.
6. `notices`: decide who is notified of what, when and how; send and delete these messages.
7. `serving`: answer commands and controls: services, router, choice of the table, autocompletion.

A contract in `pyproject.toml` checks this order. A feature's commands are in its `commands.py`, its controls in its
`controls.py`.
"""
