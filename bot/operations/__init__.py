"""Commands for hosts of a bot: backup, restore, doctor, health, compact and repair (`docs/operating.md`)."""
