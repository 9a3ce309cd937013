"""Lessons: short courses of positions in which a player tries acts and learns why they are legal or not."""
