"""Actions of game masters and moderators at a table."""
