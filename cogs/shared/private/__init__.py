"""What one person sees: pages with pictures, the private panel, the score, a word for the shuffle."""
