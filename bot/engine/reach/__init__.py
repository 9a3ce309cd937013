"""Reach: searches for what a hand can still do in its turn: go out, or complete the initial meld."""
