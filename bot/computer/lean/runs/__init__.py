"""Runs in the lean world: suits beside the counts by kind, moves that carry them along, and a policy for them."""
