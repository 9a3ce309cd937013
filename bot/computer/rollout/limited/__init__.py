"""The rollout world under rules in which melds have limits or seats have feet.

The modules decide what a meld may get, play whole turns, and keep the feet.
"""
