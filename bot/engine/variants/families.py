"""Families: what cards that lie together are, and whether they may (`docs/law/variants.md 3`)."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.cards import BLACK_THREE, JOKER, RED_THREE, TWO, Card
from bot.engine.melds import TableMeld
from bot.engine.places import DEUCE_MELD, WILD_MELD, Family, is_run, run_of
from bot.engine.rules import RuleSet
from bot.engine.shapes import BLACK_THREE_MELDS, is_meld


def family_of_cards(rules: RuleSet, cards: Sequence[Card]) -> Family | None:
    """The family of melds that the cards belong to; None where they belong to none in these rules.

    Cards of several ranks can only be of a run; wild cards alone are twos as a rank or wild cards alone.
    """
    ranks = {card >> 2 for card in cards} - {TWO, JOKER}
    if len(ranks) == 1:
        return None if ranks == {RED_THREE} else ranks.pop()
    if not ranks:
        if "wild" in rules.meld_kinds:
            return WILD_MELD if cards else None
        return DEUCE_MELD if cards and "deuce" in rules.meld_kinds else None
    suits = {card & 3 for card in cards}
    of_run = "seq" in rules.meld_kinds and len(suits) == 1 and len(ranks) == len(cards) and max(ranks) < BLACK_THREE
    return run_of(suits.pop()) if of_run else None


def may_lie(rules: RuleSet, meld: TableMeld) -> bool:
    """Whether such a meld may lie on the table at some time in a deal."""
    if meld.kind == BLACK_THREE:
        return not meld.wilds and meld.naturals in BLACK_THREE_MELDS[1:]
    if is_run(meld.place):
        ranks = [card >> 2 for card in meld.cards]
        return len(ranks) >= 3 and ranks == list(range(ranks[0], ranks[0] + len(ranks)))
    if meld.kind == WILD_MELD:
        return rules.meld_min <= meld.size <= rules.canasta_size
    return is_meld(rules, meld.naturals, meld.wilds)
