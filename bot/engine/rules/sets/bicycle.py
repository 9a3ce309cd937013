"""The classic laws as Bicycle's pages give them (`docs/law/classic.md 5`, the column `bicycle`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bot.engine.rules.sets.forms import (
    CUT_THROAT,
    FOUR_PLAYERS,
    PAIR_AND_TRIO,
    ROTATING_TRIOS,
    THREE_PAIRS,
    THREE_PLAYERS,
    TWO_PLAYERS,
    TWO_PLAYERS_SHORT,
    TWO_TRIOS,
    forms_of,
)
from bot.engine.rules.sets.notes import RuleSetNotes

_COMMON: Final[Mapping[str, Any]] = {
    "upcard_cover": frozenset({"W", "R3", "B3"}),
    "upcard_freezes": frozenset({"W", "R3", "B3"}),
    "freeze_discards": frozenset({"W", "B3"}),
    "red3_timing": "first_turn",
}

_TWO: Final[Mapping[str, Any]] = {"red3_in_hand": 0}
"""Two players pay nothing for red threes left in the hand (`docs/law/classic.md 2.1`)."""

BICYCLE = forms_of("bicycle", _COMMON, {**TWO_PLAYERS, **_TWO}, THREE_PLAYERS, FOUR_PLAYERS, PAIR_AND_TRIO, THREE_PAIRS)
BICYCLE_13 = forms_of("bicycle-13", _COMMON, {**TWO_PLAYERS_SHORT, **_TWO})
BICYCLE_CUT_THROAT = forms_of("bicycle-cut-throat", _COMMON, CUT_THROAT)
BICYCLE_ROTATING = forms_of("bicycle-rotating", _COMMON, ROTATING_TRIOS)
BICYCLE_TRIOS = forms_of("bicycle-trios", _COMMON, TWO_TRIOS)

_RED_THREES = "Red threes of a player who never had a turn: here they count nothing"
_FORM = "Bicycle's pages do not tell this form; it is the classic one, dealt and frozen as Bicycle says"

BICYCLE_NOTES = RuleSetNotes(
    source="The canasta pages of the US Playing Card Company, in excerpts",
    sure="medium",
    open_points=(_RED_THREES,),
    points_of_forms={"Three players each alone, five and six: the classic forms, dealt and frozen so": (3, 5, 6)},
)
BICYCLE_13_NOTES = RuleSetNotes(source=BICYCLE_NOTES.source, sure="low", open_points=(_RED_THREES, _FORM))
BICYCLE_CUT_THROAT_NOTES = RuleSetNotes(
    source="Bicycle's page on cut-throat canasta, in excerpts",
    sure="medium",
    open_points=(
        _RED_THREES,
        "Melds of one rank that both partners had are put together, though with more than three wild cards",
        "Partners do not ask each other for permission to go out",
    ),
)
BICYCLE_ROTATING_NOTES = RuleSetNotes(source=BICYCLE_NOTES.source, sure="low", open_points=(_RED_THREES, _FORM))
BICYCLE_TRIOS_NOTES = RuleSetNotes(source=BICYCLE_NOTES.source, sure="low", open_points=(_RED_THREES, _FORM))
