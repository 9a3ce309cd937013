"""What the features of the Discord side share, in seven rooms; each knows only those before it.

1. `reading`: what people write and choose: cards as text and text as cards, drafts, moves, times, custom ids, and the
   problems with any of it. Pure, without Discord's library.
2. `telling`: sentences of what happened, of scores, rules and refusals. Codes and numbers in, words out.
3. `door`: what comes from Discord and goes back to it: components and pages, calls that may fail, answers in time.
4. `showing`: what everybody sees (board, lobby, sheets, questions) and what one person sees (`showing.panels`), with
   pictures. Nothing is sent here.
5. `posting`: keeps the messages of tables and living panels true, each request within a budget.
6. `notices`: who is told of what, when and how, and what becomes of the message afterwards.
7. `serving`: what a command or a control is answered with: the services, the router, the table that is meant, its
   person's panel, and what autocompletion offers.

A contract in `pyproject.toml` holds the order. No two files of the program have one name but for the conventions that
`tests/test_architecture.py` lists: a feature's commands are in its `commands.py`, its controls in its `controls.py`.
"""
