"""Play: an action decided and carried out in steps, the list of what is legal, drawing, and what is always true."""
