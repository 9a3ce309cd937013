"""Commands for the hosts of a bot: backup, restore, doctor, health, repair and so on.

They are described in `docs/operating.md`.
"""
