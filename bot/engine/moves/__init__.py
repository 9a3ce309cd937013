"""Moves: actions of seats, events, and refusals with their paragraphs."""
