"""The desk: the private panel with which directors run a tournament, and its controls."""
