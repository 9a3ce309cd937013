"""The referee: test actions in positions against the rules (`docs/referee.md`)."""
