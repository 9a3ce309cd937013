"""A tournament as one HTML file: needs no guild or other files, and is readable without scripts."""
