"""A tournament as one HTML file, to be kept and shown: no server, nothing from elsewhere, readable without scripts."""
