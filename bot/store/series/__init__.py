"""Series of tournaments in the database."""
