"""Rules in which melds have limits or seats have feet: what a meld may get, whole turns, and the feet themselves."""
