"""What the players of an entry decide between matches: their times, regulars and line-up."""
