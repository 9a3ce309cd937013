"""The Italian translation of a rules site (`docs/law/classic.md`, S2), its doubts decided as that paper says."""

from __future__ import annotations

from bot.engine.rules.sets.forms import FOUR_PLAYERS, TWO_PLAYERS, forms_of
from bot.engine.rules.sets.notes import RuleSetNotes

GAMERULES = forms_of(
    "gamerules",
    {
        "upcard_cover": frozenset({"W", "R3", "B3"}),  # line 40
        "upcard_freezes": frozenset({"W", "R3", "B3"}),  # line 92
        "freeze_discards": frozenset({"W", "B3"}),  # line 92
        "open_waiver": frozenset(),  # line 124
        "red3_in_hand": 0,
        "concealed_test": "no_prior_meld",  # line 136
        "ask_partner": "none",
    },
    TWO_PLAYERS,
    FOUR_PLAYERS,
)

GAMERULES_NOTES = RuleSetNotes(
    source="An Italian machine translation of gamerules.com",
    sure="medium",
    open_points=(
        "Two naturals for each joker (line 58) is read as at least two naturals: read literally, wild_ratio is nat>=2w",
        "The pile before opening: lines 88 and 118 close it, lines 82 and 98 do not; here it is open (open_pile)",
        "The text names four players: two play it by the classic laws, and three, five and six do not",
    ),
)
