"""Playing: the commands of a player and the controls of the private panel."""
