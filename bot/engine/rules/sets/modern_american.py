"""Modern American canasta, of the Canasta League and of a rules site (`docs/law/variants.md 3.10`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from bot.engine.rules.parameter_declarations import SpecialHand
from bot.engine.rules.sets.forms import FOUR_PLAYERS, RuleSetNotes, forms_by_players

_THREES = (100, 300, 500, 1000)

_COMMON: Mapping[str, Any] = {
    "hand_size": 13,
    "upcard": False,
    "discard_bans": frozenset({"threes", "wilds", "swad"}),
    "meld_kinds": frozenset({"set", "wild"}),
    "max_wilds": 2,
    "wild_gate": 5,
    "meld_max": 7,
    "wild_on_canasta": "never",
    "no_wild_ranks": frozenset({"7"}),
    "open_wild_ranks": frozenset({"A"}),
    "dead_ranks": True,
    "wild_lock": "all",
    "black3_meld": "never",
    "open_table": ((None, 125), (3000, 155), (5000, 180)),
    "open_shape": "clean3",
    "open_pile": "hand_first",
    "open_count_top": False,
    "open_waiver": frozenset(),
    "talon": (4, 3),
    "pile_frozen": "always",
    "top_blocks": frozenset({"W"}),
    "take_open": frozenset({"pair"}),
    "take_add_canasta": False,
    "black3_role": "bonus",
    "red3_values": _THREES,
    "black3_values": _THREES,
    "red3_sign": "swing",
    "red3_in_hand": -100,
    "black3_in_hand": -100,
    "last_three": -5,
    "bonus_wild": (("7_twos", 3000), ("4_jokers", 2500), ("any", 2000)),
    "bonus_rank": (("A_natural", 2500), ("7", 2500)),
    "incomplete_penalty": (("A", -2500), ("7", -2500), ("wild", -2000)),
    "hand_penalty": (("3_aces", -1500), ("3_sevens", -1500)),
    "card_points": "swing",
    "out_canastas": 2,
    "out_clean": True,
    "concealed_extra": 0,
    "out_discard": "mandatory",
    "stock_out_force": "never",
    "target": 8500,
}

_ALL_HANDS = frozenset(get_args(SpecialHand))

_PAGAT: Mapping[str, Any] = {
    **_COMMON,
    "ask_once": True,
    "open_shape": "clean3_or_wild",
    "open_waiver": frozenset({"splash"}),
    "incomplete_penalty": (("A", -2500), ("7", -2500), ("wild", -2000), ("wild_4_jokers", -2500)),
    "special_hands": frozenset({"straight", "pairs", "wild_pairs", "garbage"}),
    "special_values": (("garbage", 2000),),
}

_TWO: Mapping[str, Any] = {"players": 2, "teams": "solo", "draw": 2, "ask_partner": "none"}

MODERN_AMERICAN = forms_by_players(
    "modern-american",
    _COMMON,
    {**_TWO, "hand_size": 15},
    {**FOUR_PLAYERS, "ask_once": True, "special_hands": _ALL_HANDS},
)
MODERN_AMERICAN_13 = forms_by_players("modern-american-13", _COMMON, _TWO)
MODERN_AMERICAN_PAGAT = forms_by_players("modern-american-pagat", _PAGAT, FOUR_PLAYERS)

_SHARED_POINTS = (
    "Threes dealt to you are laid out before the first turn; only a three drawn later can be kept for the straight",
    "A kept three is laid out at its player's next turn once the side has opened; held to the end it costs 100",
    "You say before drawing that you keep a three; otherwise a three you draw is laid out",
    (
        "Sevens, aces and dead cards may be discarded on an empty pile if nothing else can; melded cards are "
        "not taken back for it"
    ),
    "After its first melds a side adds no wild card to aces, even if one lies with them",
    "Bonus cards lie face down until their player's next turn; if the deal ends before, they count nothing",
    "A player who has not opened may take the pile by opening from the hand first, without drawing",
    "One club lets you show a special hand in the turn after your partner opened; here you cannot",
    (
        "No source has three or five players; a single note has six in three pairs, one of which rests; here "
        "six do not play"
    ),
)

MODERN_AMERICAN_NOTES = RuleSetNotes(
    source="The Canasta League of America's rules as clubs report them, with two club texts",
    sure="high",
    open_points=_SHARED_POINTS,
    points_of_forms={
        "One group of a zip code or a blast off may be equal wild cards": (4,),
        "Two players are dealt 15 cards and draw two, so they cannot hold special hands of 14 cards": (2,),
    },
)
MODERN_AMERICAN_13_NOTES = RuleSetNotes(
    source="Players' own accounts; some deal 15 cards",
    sure="low",
    open_points=(*_SHARED_POINTS[3:-1], "Players who draw two cards cannot hold special hands of 14 cards"),
)
MODERN_AMERICAN_PAGAT_NOTES = RuleSetNotes(
    source="The large rules site's page on modern American canasta", sure="medium", open_points=_SHARED_POINTS
)
