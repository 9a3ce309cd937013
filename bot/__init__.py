"""Canasta on Discord: the program. Kept empty, so that importing `bot.engine` loads nothing else."""
