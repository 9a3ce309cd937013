"""Painting: cards, fonts, symbols, and the PNG encoding of pictures."""
