"""Reasons why no case can prove some values of parameters by trial.

Some parameters only inform players, some have no effect under some rules, and some values allow or refuse only what all
other values do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from bot.engine.rules.rule_set import RuleSet

ONLY_INFORM: Final = {
    "direction": "seats are numbered in playing order, so that nothing depends on it",
    "announce_one_card": "everybody sees how many cards a hand holds, so that nothing depends on it",
}
"""Parameters that no position can prove, each with the reason."""


WITHOUT_EFFECT: Final[Mapping[str, Callable[[RuleSet], bool]]] = {
    "red3_values": lambda rules: rules.red3_role == "penalty",  # red threes are never laid out under these rules
    "target": lambda rules: rules.rounds is not None,  # the last deal ends the game
    "take_open": lambda rules: rules.pile_frozen == "always",  # the pile can only be taken with a natural pair
    "take_add_canasta": lambda rules: rules.pile_frozen == "always",
    "ask_partner": lambda rules: rules.sides == rules.players,  # no player has a partner
}
"""Parameters without effect under some rules, with these rules."""

STRICTEST: Final[Mapping[str, str]] = {
    "ask_once": "a second question is all that it takes away",
    "ask_partner": "who need not ask goes out as who has asked and been told yes",
    "black3_meld": "never is the strictest: it allows no meld that another value refuses",
    "bonus_black_threes": "nothing is the least that can be counted",
    "bonus_wild_out_only": "a bonus only for going out is never more than one that is always counted",
    "concealed_extra": "nothing is the least that can be counted",
    "dead_ranks": "ranks closed to everybody only take melds away",
    "foot_partner_gate": "a partner's foot is one condition more for going out",
    "frozen_unopened": "a pile frozen for who has not opened is only harder to take",
    "game_bonus": "nothing is the least that can be counted",
    "meld_max": "a largest meld only takes melds away; as large as a canasta is the smallest that can be",
    "open_count_top": "without the top card an initial meld only counts less",
    "open_pile": "no take before the initial meld: that only takes takes away",
    "open_waiver": "where nothing waives the minimum, each initial meld needs it",
    "out_clean": "one condition more for going out",
    "out_need": "one condition more for going out",
    "pile_frozen": "always frozen is the strictest: a natural pair takes every pile",
    "seq_rule": "closed is the strictest: a run grows to a canasta wherever there are runs",
    "stock_out_force": "whenever able is the strictest: who may take then may take under each value",
    "take_add_canasta": "a canasta that takes no top card only takes takes away",
    "take_open": "a natural pair takes the pile under each value",
    "take_pair_canasta": "a canasta that takes no top card with a pair only takes takes away",
    "top_blocks": "one top card more that blocks the pile only takes takes away",
    "upcard_freezes": "one upcard more that freezes the pile only takes takes away",
    "wild_lock": "wild cards bound to their meld only take melds away",
    "wild_on_canasta": "never is the strictest: it allows no card on a canasta that another value refuses",
    "wild_ratio": "twice as many naturals is the strictest ratio",
}
"""Parameters for which a case declares that something is allowed, with the reason why no trial can show it."""

LOOSEST: Final[Mapping[str, str]] = {
    "both_reach": "the higher score wins at once: the other value lets the game go on",
    "concealed_test": "who has not melded before goes out concealed: each other test asks for more",
    "frozen_unopened": "a pile that is open to who has not opened is only easier to take",
    "meld_kinds": "sets, runs and wild cards: each other value that can be played has fewer kinds",
    "open_waiver": "a splash waives it: who goes out concealed there holds one anyway, as two canastas are needed",
    "red3_sign": "always is the loosest: no other value counts more",
    "same_rank_melds": "many is the loosest: it refuses no meld that another value allows",
    "stock_out_force": "never is the loosest: nobody has to take",
    "take_add_canasta": "a canasta that takes the top card too refuses no take that the other value allows",
    "take_pair_canasta": "a canasta that takes a pair too refuses no take that the other value allows",
    "upcard_specials": "they go back among the stock: what lies in the pile is another, and that the case expects",
    "wild_on_canasta": "free is the loosest: a canasta takes wild cards without end",
}
"""Parameters for which a case declares that something is refused, with the reason why no trial can show it."""
