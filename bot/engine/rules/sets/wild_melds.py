"""Games with melds of wild cards alone, or of twos as a rank.

Source: `docs/law/variants.md 3.5, 3.6, 3.8, 3.9`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.engine.rules.sets.forms import (
    FOUR_ALONE_NAMED,
    FOUR_PLAYERS,
    THREE_PAIRS,
    THREE_PLAYERS,
    TWO_PLAYERS,
    TWO_TRIOS,
    RuleSetNotes,
    forms_by_players,
)

# --- Uruguay canasta, of books and of modern tables on the River Plate (`docs/law/variants.md 3.8`) -------------------

_URUGUAY: Mapping[str, Any] = {
    "meld_kinds": frozenset({"set", "wild"}),
    "pile_frozen": "always",
    "take_open": frozenset({"pair"}),
    "take_add_canasta": False,
    "bonus_wild": (("any", 2000),),
}

_MODERN: Mapping[str, Any] = {
    "draw": 2,
    "meld_kinds": frozenset({"set", "wild"}),
    "take_open": frozenset({"pair"}),
    "red3_sign": "canastas>=1",
    "bonus_mixed": 200,
    "bonus_wild": (("7_twos", 3000), ("7_jokers", 3000), ("twos_and_jokers", 2000)),
    "bonus_rank": (("A_natural", 800), ("A_mixed", 500)),
    "hand_penalty": (("4_black_threes", -500),),
    "out_canastas": 2,
    "out_need": (("natural", 1), ("mixed", 1)),
}

URUGUAY = forms_by_players("uruguay", _URUGUAY, TWO_PLAYERS, THREE_PLAYERS, FOUR_PLAYERS, THREE_PAIRS)
URUGUAY_MODERN = forms_by_players("uruguay-modern", _MODERN, TWO_PLAYERS, THREE_PLAYERS, FOUR_PLAYERS, TWO_TRIOS)

URUGUAY_NOTES = RuleSetNotes(
    source="Two rules pages and a book of card games, which mentions only the wild melds",
    sure="high",
    open_points=("Five players cannot play it here: no source names them",),
    points_of_forms={
        "The sources name no forms for two, three and six players; here they play the classic ones": (2, 3, 6)
    },
)
URUGUAY_MODERN_NOTES = RuleSetNotes(
    source="One project's description of the game as played in Uruguay; Spanish pages agree in part",
    sure="low",
    open_points=(
        "The game ends at 5,000; some play to 7,000",
        "An ace counts 20; the source allows 15 as well",
        "Five players cannot play it here: no source names them",
    ),
    points_of_forms={
        "Six players form two trios and use two packs; the source gives only the number of cards dealt": (6,)
    },
)


# --- Cuban and Joker canasta: canastas of seven, the pile always frozen (`docs/law/variants.md 3.5, 3.9`) -------------

_WILD_MELDS: Mapping[str, Any] = {
    "hand_size": 13,
    "meld_kinds": frozenset({"set", "wild"}),
    "meld_max": 7,
    "pile_frozen": "always",
    "take_open": frozenset({"pair"}),
    "take_add_canasta": False,
    "red3_values": (100, 300, 500, 1000),
    "red3_sign": "canastas>=1",
    "bonus_wild": (("7_twos", 4000), ("4_jokers_3_twos", 3000), ("any", 2000)),
    "concealed_extra": 0,
}

_CUBAN: Mapping[str, Any] = {
    **_WILD_MELDS,
    "discard_bans": frozenset({"black3_first_round"}),
    "open_table": ((None, 15), (0, 50), (1500, 90), (3000, 120), (5000, 150)),
    "black3_in_pile": "set_aside",
    "black3_values": (5, 10, 15, 100),
    "target": 7500,
}

_JOKER: Mapping[str, Any] = {
    **_WILD_MELDS,
    "upcard_cover": frozenset({"W", "R3", "B3"}),
    "open_table": ((None, 100), (3000, 130), (5000, 150)),
    "black3_role": "bonus",
    "black3_values": (100, 300, 500, 1000),
    "black3_meld": "never",
    "out_canastas": 2,
    "target": 8500,
}

CUBAN = forms_by_players("cuban", _CUBAN, FOUR_PLAYERS)
JOKER = forms_by_players("joker", _JOKER, FOUR_PLAYERS)

CUBAN_NOTES = RuleSetNotes(
    source="One rules page; the Afrikaans text and an older encyclopedia only name the game",
    sure="medium",
    open_points=(
        "The number of canastas needed to go out could not be read in the source: here one; some descriptions say two",
        "The number of wild cards in a meld could not be read in the source: here three, as in the classic game",
        "Black threes found in a taken pile always count for the side that took it",
        "A black three turned as the first upcard stays, as in the classic game",
        FOUR_ALONE_NAMED,
    ),
)
JOKER_NOTES = RuleSetNotes(
    source="A page of 2001, kept in an archive; a magazine of 1958 says the game was widely played",
    sure="medium",
    open_points=(
        "Going out concealed has no bonus; the source does not mention one",
        "A three or a wild card turned as the first upcard is covered",
        "Threes found in a taken pile are laid out and not replaced, as red ones are in the classic game",
        FOUR_ALONE_NAMED,
    ),
)


# --- Italian canasta of Hoyle's books, and the Canastone of Italian tables (`docs/law/variants.md 3.6`) ---------------

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

ITALIAN = forms_by_players("italian", _ITALIAN, FOUR_PLAYERS)
CANASTONE = forms_by_players("canastone", _CANASTONE, FOUR_PLAYERS)

ITALIAN_NOTES = RuleSetNotes(
    source="Two rules pages and a book of card games that follow Hoyle",
    sure="medium",
    open_points=(
        "Another source has other minimums from 5,000 points: 160 up to 7,500, 180 up to 10,000, then 200",
        "An ace as the first upcard hides one card; a wild card or a three is covered by the next card",
        "There are no runs, although one page bases the game on Samba",
        "A canasta of twos counts only for the side that goes out, as one source says and another hints",
        "The bonuses for many canastas are optional in one source",
        FOUR_ALONE_NAMED,
    ),
)
CANASTONE_NOTES = RuleSetNotes(
    source="A rules page and two Italian encyclopedias; their scoring could not be read",
    sure="low",
    open_points=(
        "Experimental: bonuses for wild canastas (2,000) and for canastas of aces (800 and 500) are taken from Uruguay",
        "Red threes count as in Samba, the minimum rises as in the classic game",
        (
            "With a wild card in the pile you need three naturals from your hand to take it; the sources say "
            "three matching cards"
        ),
        "By one source a side must open before it takes the pile",
        FOUR_ALONE_NAMED,
    ),
)
