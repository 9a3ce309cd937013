"""Engines: the only folder that knows a database driver.

`seam` is their interface for the rest of the store.
"""
