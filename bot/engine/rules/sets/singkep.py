"""The Indonesian text (`docs/law/classic.md`, S0); where it is unclear, that document decides."""

from __future__ import annotations

from bot.engine.rules.sets.forms import (
    FIVE_ALONE,
    FOUR_ALONE,
    FOUR_PLAYERS,
    PAIR_AND_TRIO,
    ROTATING_TRIOS,
    THREE_PLAYERS,
    TWO_PLAYERS,
    TWO_PLAYERS_SHORT,
    RuleSetNotes,
    forms_by_players,
)

_COMMON = {
    "upcard_cover": frozenset({"W", "R3", "B3"}),  # source S0, 1.3.c, 1.3.e
    "upcard_specials": "keep_first_reinsert_rest",  # source S0, 1.3.c
    "first_player": "dealer",  # source S0, 1.4.a
    "announce_one_card": True,  # source S0, 1.4.c
    "wild_on_canasta": "free",  # source S0, III.2
    "open_table": ((None, 0), (0, 50), (1500, 90), (3000, 120)),  # source S0, 1.4.f
    "open_waiver": frozenset({"concealed", "first_canasta_top"}),  # source S0, 1.4.f.b
    "take_add_canasta": False,  # source S0, 1.4.g.b
    "take_pair_canasta": False,
    "red3_timing": "first_turn",  # source S0, 1.4.j.a
    "concealed_test": "all_melded_no_discard",  # source S0, IV.3
    "stock_end": "one_more",  # source S0, 1.4.l.k
    "stock_out_force": "never",
    "game_bonus": 500,  # source S0, IV.3
}

SINGKEP = forms_by_players(
    "singkep",
    _COMMON,
    {**TWO_PLAYERS, "draw_with_pile": 1},  # source S0, 2.3
    THREE_PLAYERS,
    FOUR_PLAYERS,
    PAIR_AND_TRIO,  # source S0, 4
    {"players": 6, "teams": "3x2"},  # source S0, 5.2
)
SINGKEP_13 = forms_by_players("singkep-13", _COMMON, TWO_PLAYERS_SHORT)
SINGKEP_ALONE = forms_by_players("singkep-alone", _COMMON, FOUR_ALONE, FIVE_ALONE)  # source S0, I.2, 1.1
SINGKEP_ROTATING = forms_by_players("singkep-rotating", _COMMON, ROTATING_TRIOS)  # source S0, 5.1

SINGKEP_NOTES = RuleSetNotes(
    source="An Indonesian family's rules of 2009, numbered like the old official laws",
    sure="medium",
    open_points=(
        "The number missing in III.1 is taken to be two naturals and three wild cards",
        (
            '"Perfect going out" (IV.3) is taken to mean going out without a last discard, whatever you laid '
            "earlier in the deal"
        ),
        "An upcard that is put back into the stock goes into its middle",
        (
            "The pile's top card may not be added to a canasta, even with a pair (1.4.g.b); the pile's other "
            "cards may (1.4.i.b)"
        ),
        (
            "If you must go out after a yes but cannot, you lay all you can and show the rest (1.4.l.i); here "
            "only with penalties"
        ),
        (
            "A player with penalty cards plays with all cards open except those from the stock (1.4.l.j); here "
            "also except the pile's"
        ),
        (
            "If you ask after laying you must go out even after a no (1.4.l.g); here only with penalties, "
            "otherwise you cannot ask"
        ),
    ),
    points_of_forms={
        "Two players: after taking the pile you also draw a card (2.3)": (2,),
        "Three and six players: 11 or 13 cards; here three hold 13 and six hold 11": (3, 6),
    },
)
SINGKEP_13_NOTES = RuleSetNotes(source=SINGKEP_NOTES.source, sure="medium", open_points=SINGKEP_NOTES.open_points[:4])
SINGKEP_ALONE_NOTES = RuleSetNotes(
    source=SINGKEP_NOTES.source,
    sure="medium",
    open_points=(
        *SINGKEP_NOTES.open_points[:4],
        (
            "One sentence each names four and five players without partners; they have the hands, draws and "
            "canastas of four"
        ),
    ),
)
SINGKEP_ROTATING_NOTES = RuleSetNotes(source=SINGKEP_NOTES.source, sure="medium", open_points=SINGKEP_NOTES.open_points)
