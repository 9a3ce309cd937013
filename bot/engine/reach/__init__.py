"""Reach: what a hand can still come to in its turn, beside the melds of its side: going out, or the initial meld."""
