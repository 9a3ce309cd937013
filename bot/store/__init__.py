"""The database: the only place with SQL.

`store` composes one part for each subject: `tables`, `players`, `guilds` and so on, each with its statements and the
types of its rows. Below: `connection` is the seam to SQLite, `writer` groups writes into transactions, `database` is
both, `schema` brings a file up to date. `game_forms` turns actions, events and states into data with names that outlive
releases; `forms` is how it says so.
"""
