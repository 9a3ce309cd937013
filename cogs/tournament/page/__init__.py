"""A tournament as one HTML file, which needs no server or other files and can be read without scripts."""
