"""The `/table` commands and the buttons of the lobby and the board."""
