"""Cuban and Joker canasta: wild melds, canastas of seven, the pile always frozen (`docs/law/variants.md 3.5, 3.9`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.engine.rules.sets.forms import FOUR_PLAYERS, forms_of
from bot.engine.rules.sets.notes import FOUR_ALONE_NAMED, RuleSetNotes

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

CUBAN = forms_of("cuban", _CUBAN, FOUR_PLAYERS)
JOKER = forms_of("joker", _JOKER, FOUR_PLAYERS)

CUBAN_NOTES = RuleSetNotes(
    source="One rules page; the Afrikaans text and an older encyclopedia only name the game",
    sure="medium",
    open_points=(
        "How many canastas going out needs was not read: one, though some descriptions say two",
        "How many wild cards a set takes was not read: three, as in the classic game",
        "Black threes found in a taken pile count for the side that took it, whatever else it has",
        "A black three turned as the first upcard stays; so in the classic game",
        FOUR_ALONE_NAMED,
    ),
)
JOKER_NOTES = RuleSetNotes(
    source="A page of 2001, kept in an archive; a magazine of 1958 says the game was widely played",
    sure="medium",
    open_points=(
        "Going out concealed counts nothing more: the source is silent",
        "A three turned as the first upcard is covered, and so is a wild card",
        "Threes found in a taken pile are laid out and not replaced, as red ones are in the classic game",
        FOUR_ALONE_NAMED,
    ),
)
