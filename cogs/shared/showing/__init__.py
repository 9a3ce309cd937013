"""Showing: pages of components, what everybody sees and what one person sees; pure renderings with their pictures."""
