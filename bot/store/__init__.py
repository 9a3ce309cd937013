"""What is kept: the only place with SQL.

Read `protocol` (what can be kept and asked), then `sqlite` (the same in terms of `statements`). Below: `database` opens
the file, `writer` groups writes into transactions, `migrations` and `schema` bring a file up to date, `lock` keeps a
second process out. `codec` turns actions, events and states into data with names that outlive releases; `forms` is
how it says so.
"""
