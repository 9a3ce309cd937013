"""The referee: tests actions in positions against the rules (`docs/referee.md`)."""
