"""A tournament as one HTML file: needs no server or other files, and is readable without scripts."""
