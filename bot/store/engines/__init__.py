"""Engines: the only folder that knows a database driver. `seam` is what the rest of the store sees of them."""
