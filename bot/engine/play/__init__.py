"""Play: deciding actions, carrying them out, listing legal steps, drawing, views, and invariants."""
