"""Looking back: replays of finished deals, the record of a game as a file, deals played again."""
