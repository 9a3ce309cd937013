"""The door: what comes from Discord and goes back to it; components, calls that may fail, answers in time."""
