"""Interactions: what comes from Discord and goes back to it; controls, answers, layouts, calls that may fail."""
