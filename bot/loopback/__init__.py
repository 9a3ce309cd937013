"""A small Discord on this machine: REST, gateway, rate limits and faults, over real sockets.

A bot runs against it as a process of its own (`process`), and a test plays the people (`people`). Nothing here but
`bootstrap`, which runs in the bot's own process, imports the bot: two sides that share code share its mistakes.
"""
