"""Tables of a tournament: everything in which they differ from other tables (`docs/tournaments.md` 2).

The tournament itself is in `bot.tournaments`; a table knows only the numbers of the tournament and the match, and the
terms of play.
"""
