"""Engines: the only folder that knows a database driver.

`interface` is their interface for the rest of the store.
"""
