"""The database: the only package that contains SQL.

`store` composes one part for each subject: `tables`, `players`, `guilds` and so on, each with its statements and the
types of its rows. Below them, only `engines` knows SQLite and PostgreSQL; `writer` groups writes into transactions,
`database` combines both, and `migrations` has the scripts of the schema. `json_forms` derives from a type how its
values are stored, `game_forms` does so for the types of the game.
"""
