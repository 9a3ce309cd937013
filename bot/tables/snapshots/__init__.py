"""Snapshots: the data of a table that a viewer may see. Pure."""
