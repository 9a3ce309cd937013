"""What the variants add to the classic game, in small pieces that any rule set may use."""
