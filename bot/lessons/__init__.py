"""Lessons: short courses of positions in which a player tries acts.

The player learns why an act is legal or not.
"""
