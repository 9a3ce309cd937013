"""The rollout world under rules with runs: the suits of cards, and moves and choices that use them."""
