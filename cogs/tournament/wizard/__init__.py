"""The wizard: pages on which a tournament is planned before anybody enters."""
