"""Stored data of people: results, blocks, lessons and preferences.

It includes the deletion of a person from every database table.
"""
