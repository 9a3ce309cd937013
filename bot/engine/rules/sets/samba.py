"""Samba and the games that grew from it (`docs/law/variants.md 3.1, 3.2, 3.3, 3.4, 3.13`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.engine.rules.sets.forms import FOUR_ALONE_NAMED, FOUR_PLAYERS, PAIR_AND_TRIO, RuleSetNotes, forms_by_players

_SAMBA: Mapping[str, Any] = {
    "decks": 3,
    "hand_size": 15,
    "draw": 2,
    "meld_kinds": frozenset({"set", "seq"}),
    "seq_rule": "closed",
    "max_wilds": 2,
    "wild_on_canasta": "never",
    "same_rank_melds": "many",
    "open_table": ((None, 15), (0, 50), (1500, 90), (3000, 120), (7000, 150)),
    "take_open": frozenset({"pair", "add", "add_seq"}),
    "take_add_canasta": False,
    "red3_values": (100, 200, 300, 400, 500, 1000),
    "red3_sign": "canastas>=2",
    "bonus_seq": 1500,
    "out_canastas": 2,
    "out_bonus": 200,
    "concealed_extra": 0,
    "target": 10_000,
}

_BOLIVIA: Mapping[str, Any] = {
    **_SAMBA,
    "meld_kinds": frozenset({"set", "seq", "wild"}),
    "bonus_wild": (("any", 2500),),
    "out_need": (("seq", 1),),
    "black3_in_hand": -100,
    "target": 15_000,
}

_BRAZILIAN: Mapping[str, Any] = {
    **_BOLIVIA,
    "seq_rule": "grows_going_out",
    "open_table": ((None, 15), (0, 50), (1500, 90), (3000, 120)),
    "open_shape": "br_ladder",
    "open_pile": "no",
    "bonus_wild": (("any", 2000),),
    "incomplete_penalty": (("seq", -1000),),
    "red3_values": (100, 200, 300, 400, 1000, 1200),
    "red3_sign": "canastas>=1",
    "out_need": (),
    "ask_partner": "mandatory",
    "target": 10_000,
}

_TAMPA: Mapping[str, Any] = {
    **_SAMBA,
    "meld_kinds": frozenset({"set", "wild"}),
    "seq_rule": "none",
    "take_open": frozenset({"pair", "add"}),
    "bonus_seq": 0,
    "bonus_wild": (("any", 2000),),
}

_MEXICANA: Mapping[str, Any] = {
    "decks": 3,
    "hand_size": 13,
    "talon": (13,),
    "talon_with_pile": True,
    "top_blocks": frozenset({"W", "B3", "7"}),
    "red3_values": (100, 200, 300, 400, 500, 1000),
    "bonus_rank": (("7_natural", 1500), ("7_mixed", 1300)),
    "out_canastas": 2,
    "out_red_threes": 1,
}

_ALONE: Mapping[str, Any] = {"teams": "solo", "ask_partner": "none"}

SAMBA = forms_by_players(
    "samba",
    _SAMBA,
    {"players": 2, **_ALONE},
    {"players": 3, **_ALONE},
    FOUR_PLAYERS,
    PAIR_AND_TRIO,
    {"players": 6, "teams": "3x2"},
)
BOLIVIA = forms_by_players("bolivia", _BOLIVIA, FOUR_PLAYERS)
BRAZILIAN = forms_by_players("brazilian", _BRAZILIAN, FOUR_PLAYERS)
CHILEAN = forms_by_players("chilean", _BOLIVIA, FOUR_PLAYERS)
TAMPA = forms_by_players("tampa", _TAMPA, FOUR_PLAYERS)
MEXICANA = forms_by_players("mexicana", _MEXICANA, FOUR_PLAYERS)

SAMBA_NOTES = RuleSetNotes(
    source="The Afrikaans text and six rules pages, Canasta.ch and the German encyclopedia among them",
    sure="high",
    open_points=(
        "From 7,000 points the minimum is 150; two pages say 160",
        "One page hides three cards under the upcard; here that is a house rule (pile_hidden)",
        "By one page a run may be part of the first melds",
    ),
    points_of_forms={
        "By one page on the game (gamexpla.in) two to six may play, with fifteen cards each; most name four only. "
        "Sides are as in the classic forms": (2, 3, 5, 6),
    },
)
BOLIVIA_NOTES = RuleSetNotes(
    source="Two rules pages, two older lists and a British club's page",
    sure="medium",
    open_points=(
        "Two sources base it on Samba, two on the classic game (three wild cards, 100 for going out)",
        FOUR_ALONE_NAMED,
    ),
)
BRAZILIAN_NOTES = RuleSetNotes(
    source="Three rules pages",
    sure="medium",
    open_points=(
        (
            "From 8,000 points the first melds need a canasta and 200 points in all; by one page the canasta "
            "alone must have them"
        ),
        "Each run of fewer than five cards costs the penalty",
        "Any two canastas are enough to go out; one page also asks for a run, as in Bolivia",
        FOUR_ALONE_NAMED,
    ),
)
CHILEAN_NOTES = RuleSetNotes(
    source="Two sentences on one rules page; everything else is as in Bolivia",
    sure="low",
    open_points=(
        "Three packs or four",
        "All values, the target and the canastas needed to go out are as in Bolivia",
        FOUR_ALONE_NAMED,
    ),
)
TAMPA_NOTES = RuleSetNotes(
    source="A sentence in a book of card games: Samba with melds of wild cards in place of runs",
    sure="medium",
    open_points=(FOUR_ALONE_NAMED,),
)
MEXICANA_NOTES = RuleSetNotes(
    source="A sentence in a book of card games; everything it does not say is classic",
    sure="low",
    open_points=(
        "The player who opens first gets thirteen more cards at the beginning of their next turn",
        "If the stock has fewer than nine cards left, there are no such cards",
        "A side needs one red three for each canasta required to go out, so two, however many canastas it has",
        "The source does not give the number of cards drawn, the minimums, the target or the value of six red threes",
        FOUR_ALONE_NAMED,
    ),
)
