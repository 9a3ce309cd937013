"""The database: the only package with SQL.

`store` composes one part for each subject: `tables`, `players`, `guilds` and so on, each with its statements and the
types of its rows. Below them, `engines` alone knows SQLite and PostgreSQL, `writer` groups writes into transactions,
`database` combines both, and `migrations` has the scripts of the schema. `json_forms` derives from a type how its
values are stored, `game_forms` does so for the game.
"""
