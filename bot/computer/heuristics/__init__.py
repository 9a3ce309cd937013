"""Computer players that decide by rules of thumb (heuristics), weighed by habits."""
