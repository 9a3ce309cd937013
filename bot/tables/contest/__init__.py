"""Tables of a tournament: their differences from other tables (`docs/tournaments.md` 2).

The tournament itself is in `bot.tournaments`; a table knows only its numbers in it and the terms.
"""
