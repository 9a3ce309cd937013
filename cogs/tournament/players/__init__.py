"""Decisions of an entry's players between matches: times, regulars and line-up."""
