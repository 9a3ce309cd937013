"""Tables of a tournament: what differs there from an ordinary table (`docs/tournaments.md` 2).

The tournament itself stands above the tables (`bot.tournaments`); a table knows its numbers in it and the terms.
"""
