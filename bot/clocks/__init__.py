"""Deadlines: pure arithmetic, one sleeper, and the only caller of the wall clock."""
