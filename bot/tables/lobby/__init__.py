"""What players ask of a table before its game starts."""
