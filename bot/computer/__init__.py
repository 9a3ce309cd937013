"""Computer players: they see only their seat's view, and play through the table service like people."""
