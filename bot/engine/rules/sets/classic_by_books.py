"""Books and web pages that describe the classic game differently.

Where they are unclear, `docs/law/classic.md` decides.
"""

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
    RuleSetNotes,
    forms_by_players,
)

# --- Bicycle's pages (`docs/law/classic.md 5`, the column `bicycle`) --------------------------------------------------

_BICYCLE: Final[Mapping[str, Any]] = {
    "upcard_cover": frozenset({"W", "R3", "B3"}),
    "upcard_freezes": frozenset({"W", "R3", "B3"}),
    "freeze_discards": frozenset({"W", "B3"}),
    "red3_timing": "first_turn",
}

_BICYCLE_TWO: Final[Mapping[str, Any]] = {"red3_in_hand": 0}
"""With two players, red threes left in the hand cost nothing (`docs/law/classic.md 2.1`)."""

BICYCLE = forms_by_players(
    "bicycle", _BICYCLE, {**TWO_PLAYERS, **_BICYCLE_TWO}, THREE_PLAYERS, FOUR_PLAYERS, PAIR_AND_TRIO, THREE_PAIRS
)
BICYCLE_13 = forms_by_players("bicycle-13", _BICYCLE, {**TWO_PLAYERS_SHORT, **_BICYCLE_TWO})
BICYCLE_CUT_THROAT = forms_by_players("bicycle-cut-throat", _BICYCLE, CUT_THROAT)
BICYCLE_ROTATING = forms_by_players("bicycle-rotating", _BICYCLE, ROTATING_TRIOS)
BICYCLE_TRIOS = forms_by_players("bicycle-trios", _BICYCLE, TWO_TRIOS)

_RED_THREES = "The red threes of a player who never had a turn count nothing here"
_NOT_GIVEN = "Bicycle's pages do not describe this form; it is the classic one with Bicycle's deal and freezing"

BICYCLE_NOTES = RuleSetNotes(
    source="The canasta pages of the US Playing Card Company, in excerpts",
    sure="medium",
    open_points=(_RED_THREES,),
    points_of_forms={"Three, five and six players play the classic forms, with this deal and this freezing": (3, 5, 6)},
)
BICYCLE_13_NOTES = RuleSetNotes(source=BICYCLE_NOTES.source, sure="low", open_points=(_RED_THREES, _NOT_GIVEN))
BICYCLE_CUT_THROAT_NOTES = RuleSetNotes(
    source="Bicycle's page on cut-throat canasta, in excerpts",
    sure="medium",
    open_points=(
        _RED_THREES,
        "If both partners have a meld of one rank, the two are put together, even with more than three wild cards",
        "Partners do not ask each other for permission to go out",
    ),
)
BICYCLE_ROTATING_NOTES = RuleSetNotes(source=BICYCLE_NOTES.source, sure="low", open_points=(_RED_THREES, _NOT_GIVEN))
BICYCLE_TRIOS_NOTES = RuleSetNotes(source=BICYCLE_NOTES.source, sure="low", open_points=(_RED_THREES, _NOT_GIVEN))


# --- the Italian translation of a rules site (`docs/law/classic.md`, S2) ----------------------------------------------

GAMERULES = forms_by_players(
    "gamerules",
    {
        "upcard_cover": frozenset({"W", "R3", "B3"}),  # source S2, line 40
        "upcard_freezes": frozenset({"W", "R3", "B3"}),  # source S2, line 92
        "freeze_discards": frozenset({"W", "B3"}),  # source S2, line 92
        "open_waiver": frozenset(),  # source S2, line 124
        "red3_in_hand": 0,
        "concealed_test": "no_prior_meld",  # source S2, line 136
        "ask_partner": "none",
    },
    TWO_PLAYERS,
    FOUR_PLAYERS,
)

GAMERULES_NOTES = RuleSetNotes(
    source="An Italian machine translation of gamerules.com",
    sure="medium",
    open_points=(
        (
            '"Two naturals for each joker" (line 58) is taken to mean at least two naturals; literally it would '
            "be wild_ratio nat>=2w"
        ),
        (
            "Lines 88 and 118 close the pile to a side that has not opened, lines 82 and 98 do not; here it is "
            "open (open_pile)"
        ),
        (
            "The text names four players only: two players use the classic laws for two, and three, five or six "
            "cannot play it"
        ),
    ),
)


# --- the Afrikaans encyclopaedia text (`docs/law/classic.md`, S3) -----------------------------------------------------

AFRIKAANS = forms_by_players(
    "afrikaans",
    # source S3, line 104; the text has no penalty for keeping red threes
    {"stock_out_force": "whenever_able", "red3_in_hand": 0},
    TWO_PLAYERS,
    THREE_PLAYERS,
    FOUR_PLAYERS,
    TWO_TRIOS,  # source S3, line 36
)

AFRIKAANS_NOTES = RuleSetNotes(
    source="The article in the Afrikaans encyclopaedia",
    sure="medium",
    open_points=(
        "The text does not say what takes a frozen pile; here a natural pair, as everywhere else",
        "By line 102 perhaps no hand that goes out concealed needs the minimum; here only after a draw from the stock",
        "Line 132 may ask three players too for two canastas to go out; here only two players need them",
        (
            "The text does not name five players; for eight (line 144: four pairs, in hand and foot) a table has "
            "too few seats, six"
        ),
    ),
)


# --- the Italian club text (`docs/law/classic.md`, S1) ----------------------------------------------------------------

ITALIAN_CLUB = forms_by_players(
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
        "Melds are taken to end at seven cards",
        "A meld of four cards takes one wild card; the table of sizes leaves that out",
        "The text only implies that you need a canasta to go out",
        "The text does not mention adding the top card to a meld, so you cannot take the pile that way",
        "The text does not say who begins after the first deal; here the player after the dealer",
        "Honour cards are taken to be red threes, stop cards to be black threes",
        "The text has two pairs, so only four players can play it",
    ),
)
