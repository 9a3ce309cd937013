"""Duplicate: boards, movements, and their scores in matchpoints, IMPs and victory points."""
