"""Computer players: they get a view of their seat, never the state."""
