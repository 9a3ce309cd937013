"""Discord components, answers to interactions, and outgoing calls that may fail."""
