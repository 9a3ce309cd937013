"""The Italian club text (`docs/law/classic.md`, S1), its doubts decided as that paper says."""

from __future__ import annotations

from bot.engine.rules.sets.forms import FOUR_PLAYERS, forms_of
from bot.engine.rules.sets.notes import RuleSetNotes

ITALIAN_CLUB = forms_of(
    "italian-club",
    {
        "first_player": "high_card",
        "direction": "ccw",
        "wild_ratio": "nat>w",
        "meld_max": 7,
        "open_table": ((None, 50), (1505, 90), (3005, 120)),
        "frozen_unopened": False,
        "top_blocks": frozenset({"W", "B3", "R3"}),
        "take_open": frozenset({"pair", "card+wild"}),
        "take_add_canasta": False,
        "red3_in_hand": 0,
        "concealed_test": "no_prior_meld",
        "out_discard": "mandatory",
        "out_announce": True,
        "ask_partner": "none",
        "both_reach": "raise_1000",
    },
    FOUR_PLAYERS,
)

ITALIAN_CLUB_NOTES = RuleSetNotes(
    source="A one-page Italian club text with scanning errors",
    sure="medium",
    open_points=(
        "Melds are read as ending at seven cards",
        "Four cards take one wild card, which the table of sizes leaves out",
        "That closing needs a canasta is only implied",
        "Adding the top card to a meld is not mentioned, so it is no way to take the pile",
        "Who begins after the first deal is not said; here the next after the dealer",
        "Honour cards are read as red threes, stop cards as black ones",
        "The text seats two pairs, so no other number plays",
    ),
)
