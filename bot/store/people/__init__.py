"""Stored data of people: results, blocks, lessons and preferences, and the deletion of a person from every table."""
