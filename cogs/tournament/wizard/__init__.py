"""The wizard: private pages on which an organiser plans a tournament before publishing it."""
