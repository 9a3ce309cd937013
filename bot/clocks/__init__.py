"""Clocks, game time, quiet hours, vacation, and the timer of stored deadlines.

Only `clock` reads the system time.
"""
