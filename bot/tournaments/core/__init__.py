"""How a tournament is loaded, changed and stored."""
