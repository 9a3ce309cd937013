"""Serving: what commands and controls are answered with; the services, the router, a table meant, a panel fresh."""
