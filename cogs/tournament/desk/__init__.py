"""The director's desk of a tournament: one private panel, and what is typed and pressed in it."""
