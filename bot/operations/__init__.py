"""The commands of a host: backup, restore, doctor, health, compact and repair (`docs/operating.md`)."""
