"""Taking wild cards back from a canasta, where the rules give them back."""

from __future__ import annotations

from bot.computer.situation import Situation
from bot.engine.moves.actions import Reclaim, Step


def wild_cards_back(situation: Situation, legal: tuple[Step, ...]) -> Reclaim | None:
    """The wild cards of a canasta that is worth more without them; none where going out may need it as it is."""
    if any(kind == "mixed" for kind, _ in situation.rules.out_need):
        return None
    return next((step for step in legal if isinstance(step, Reclaim)), None)
