"""Simple rules: those that a computer player plays by its rules of thumb for sets of one rank."""

from __future__ import annotations

from functools import cache
from typing import Final

from bot.engine.rules.rule_set import RuleSet


@cache
def are_simple(rules: RuleSet) -> bool:
    """Whether these rules are simple: sets of one rank, one hand, a whole pile, all as `_ONLY_SETS` has it."""
    usual = rules.open_pile != "hand_first" and "splash" not in rules.open_waiver and rules.stock_end != "reshuffle"
    return usual and all(getattr(rules, name) == value for name, value in _ONLY_SETS.items())


_ONLY_SETS: Final[dict[str, object]] = {
    "meld_kinds": frozenset({"set"}),
    "same_rank_melds": "one",
    "wild_gate": 0,
    "no_wild_ranks": frozenset(),
    "open_wild_ranks": frozenset(),
    "dead_ranks": False,
    "wild_lock": "none",
    "black3_meld": "go_out",
    "open_shape": "any",
    "talon": (),
    "pile_take": None,
    "discard_bans": frozenset(),
    "frozen_untaken": False,
    "take_frozen": "pair",
    "take_twos": False,
    "meld_after_take": True,
    "black3_in_pile": "hand",
    "red3_role": "bonus",
    "black3_role": "stopper",
    "out_need": (),
    "out_canastas_before": False,
    "out_excludes": frozenset(),
    "out_clean": False,
    "out_red_threes": 0,
    "foot_pickup": "none",
    "special_hands": frozenset(),
    "auto_win": "none",
    "theme": (),
}
"""The values that parameters have in simple rules."""
