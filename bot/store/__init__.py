"""The database: the only place with SQL.

`store` composes one part for each subject: `tables`, `players`, `guilds` and so on, each with its statements and the
types of its rows. Below: `connection` is the seam to SQLite, `writer` groups writes into transactions, `database` is
both, `schema` brings a file up to date. `forms` derives from a type how its values are stored, `game_forms` does so for
the game.
"""
