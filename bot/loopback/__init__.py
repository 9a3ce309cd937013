"""A small Discord on this machine: REST, gateway, rate limits and faults, over real sockets.

A bot runs against it as a process of its own (`process`), and a test plays the people (`people`). No module here
imports the bot, except `bootstrap`, which runs in the bot's own process: if both sides shared code, they would share
its mistakes.
"""
