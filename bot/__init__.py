"""Canasta on Discord; this file is kept empty so that importing `bot.engine` loads nothing else."""
