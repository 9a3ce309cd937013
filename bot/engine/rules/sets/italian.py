"""Italian canasta as Hoyle's books have it, and the Canastone of Italian tables (`docs/law/variants.md 3.6`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.engine.rules.sets.forms import FOUR_PLAYERS, forms_of
from bot.engine.rules.sets.notes import FOUR_ALONE_NAMED, RuleSetNotes

_THREE_PACKS: Mapping[str, Any] = {
    "decks": 3,
    "hand_size": 15,
    "draw": 2,
    "max_wilds": 2,
    "upcard_cover": frozenset({"W", "R3", "B3"}),
    "pile_hidden_by_rank": True,
    "pile_frozen": "always",
    "take_open": frozenset({"pair"}),
    "out_canastas": 2,
}

_ITALIAN: Mapping[str, Any] = {
    **_THREE_PACKS,
    "meld_kinds": frozenset({"set", "deuce"}),
    "wild_on_canasta": "never",
    "same_rank_melds": "many",
    "wild_lock": "twos",
    "open_table": ((None, 15), (0, 50), (1500, 90), (3000, 120), (5000, 160), (7500, 180), (10_000, 200)),
    "open_shape": "naturals",
    "take_add_canasta": False,
    "red3_values": (100, 200, 300, 800, 1000, 1200),
    "red3_sign": "canastas>=2",
    "bonus_wild": (("7_twos", 3000), ("twos_and_jokers", 2000)),
    "bonus_wild_out_only": True,
    "collection_bonus": (("5_natural", 2000), ("4_natural_1_mixed", 1000), ("10_any", 2000)),
    "out_excludes": frozenset({"wild"}),
    "out_bonus": 300,
    "concealed_extra": 0,
    "target": 12_000,
}

_CANASTONE: Mapping[str, Any] = {
    **_THREE_PACKS,
    "draw_with_pile": 1,
    "meld_kinds": frozenset({"set", "wild"}),
    "wild_ratio": "nat>w",
    "open_pile": "no",
    "take_frozen": "triple_if_wild",
    "red3_values": (100, 200, 300, 400, 500, 1000),
    "bonus_wild": (("any", 2000),),
    "bonus_rank": (("A_natural", 800), ("A_mixed", 500)),
    "out_need": (("natural", 1), ("mixed", 1)),
    "target": 15_000,
}

ITALIAN = forms_of("italian", _ITALIAN, FOUR_PLAYERS)
CANASTONE = forms_of("canastone", _CANASTONE, FOUR_PLAYERS)

ITALIAN_NOTES = RuleSetNotes(
    source="Two rules pages and a book of card games that follow Hoyle",
    sure="medium",
    open_points=(
        "The minimums from 5,000: another source has 160 up to 7,500, 180 up to 10,000 and 200 beyond",
        "An ace as the first upcard hides one card; a wild card or a three is covered by the next card",
        "No runs, though one page derives the game from Samba",
        "A canasta of twos counts only for the side that goes out, as one source says and another hints",
        "The bonuses for many canastas are optional in one source",
        FOUR_ALONE_NAMED,
    ),
)
CANASTONE_NOTES = RuleSetNotes(
    source="A rules page and two Italian encyclopedias; the scoring was not read",
    sure="low",
    open_points=(
        "Experimental: bonuses for wild canastas (2,000) and for canastas of aces (800 and 500) are taken from Uruguay",
        "Red threes count as in Samba, the minimum rises as in the classic game",
        "A wild card in the pile asks for three naturals from the hand; the sources say three matching cards",
        "A side has to open before it takes the pile: one source says so",
        FOUR_ALONE_NAMED,
    ),
)
