"""What everybody sees: lobby, board and sheets as pages, and the one presenter that keeps their messages true."""
