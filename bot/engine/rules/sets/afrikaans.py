"""The Afrikaans encyclopaedia text (`docs/law/classic.md`, S3), its doubts decided as that paper says."""

from __future__ import annotations

from bot.engine.rules.sets.forms import FOUR_PLAYERS, THREE_PLAYERS, TWO_PLAYERS, TWO_TRIOS, forms_of
from bot.engine.rules.sets.notes import RuleSetNotes

AFRIKAANS = forms_of(
    "afrikaans",
    {"stock_out_force": "whenever_able", "red3_in_hand": 0},  # line 104; no line makes one pay for keeping red threes
    TWO_PLAYERS,
    THREE_PLAYERS,
    FOUR_PLAYERS,
    TWO_TRIOS,  # line 36
)

AFRIKAANS_NOTES = RuleSetNotes(
    source="The article in the Afrikaans encyclopaedia",
    sure="medium",
    open_points=(
        "What takes a frozen pile is not said; here a natural pair, as everywhere else",
        "Line 102 may free every concealed hand from the minimum; here only after a draw from the stock",
        "Five are not named, and eight (line 144: four pairs, at hand and foot) have no table: six seats are the most",
    ),
)
