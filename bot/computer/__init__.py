"""Computer players: they get a seat's view, never the state, and play through the table service like anybody."""
