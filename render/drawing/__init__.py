"""Painting: cards, fonts, pieces and the encoding of pictures."""
