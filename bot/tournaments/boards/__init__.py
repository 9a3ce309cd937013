"""Duplicate: boards, who plays them where, and what comparing gives: matchpoints, IMPs, victory points."""
