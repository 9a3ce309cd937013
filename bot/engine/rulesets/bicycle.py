"""The classic laws as Bicycle's pages give them (`rules/classic.md 5`, the column `bicycle`)."""

from __future__ import annotations

from bot.engine.rulesets.forms import FOUR_PLAYERS, TWO_PLAYERS, forms_of
from bot.engine.rulesets.notes import RuleSetNotes

BICYCLE = forms_of(
    "bicycle",
    {
        "upcard_cover": frozenset({"W", "R3", "B3"}),
        "upcard_freezes": frozenset({"W", "R3", "B3"}),
        "freeze_discards": frozenset({"W", "B3"}),
        "red3_timing": "first_turn",
    },
    TWO_PLAYERS,
    FOUR_PLAYERS,
)

BICYCLE_NOTES = RuleSetNotes(
    source="The canasta pages of the US Playing Card Company, in excerpts",
    sure="medium",
    open_points=("Red threes of a player who never had a turn: here they count nothing",),
)
