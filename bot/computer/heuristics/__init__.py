"""Players by rules of thumb (heuristics): what a seat's view suggests, weighed by habits."""
