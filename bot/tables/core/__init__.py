"""How a table is loaded, changed and stored."""
