"""Uruguay canasta, of the books and of today's tables on the River Plate (`docs/law/variants.md 3.8`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.engine.rules.sets.forms import FOUR_PLAYERS, THREE_PAIRS, THREE_PLAYERS, TWO_PLAYERS, TWO_TRIOS, forms_of
from bot.engine.rules.sets.notes import RuleSetNotes

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

URUGUAY = forms_of("uruguay", _URUGUAY, TWO_PLAYERS, THREE_PLAYERS, FOUR_PLAYERS, THREE_PAIRS)
URUGUAY_MODERN = forms_of("uruguay-modern", _MODERN, TWO_PLAYERS, THREE_PLAYERS, FOUR_PLAYERS, TWO_TRIOS)

URUGUAY_NOTES = RuleSetNotes(
    source="Two rules pages and a book of card games, which mentions only the wild melds",
    sure="high",
    open_points=("Five do not play it here: no source names them",),
    points_of_forms={
        "For two, three and six players the sources are silent: there the classic forms are played": (2, 3, 6)
    },
)
URUGUAY_MODERN_NOTES = RuleSetNotes(
    source="One project's description of how it is played in Uruguay; Spanish pages say some of the same",
    sure="low",
    open_points=(
        "The game ends at 5,000; some play to 7,000",
        "An ace counts 20; the source allows 15",
        "Five do not play it here: no source names them",
    ),
    points_of_forms={"Six play in two trios with two packs; the source says only how many cards are dealt": (6,)},
)
