"""Requests to a table before its game starts."""
