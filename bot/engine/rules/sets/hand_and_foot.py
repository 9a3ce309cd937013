"""Hand and Foot, and Pennies from Heaven: games with a second hand.

Source: `docs/law/variants.md 3.11, 3.12`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets.forms import RuleSetNotes, forms_by_players

_COMMON: Mapping[str, Any] = {
    "draw": 2,
    "pile_frozen": "always",
    "top_blocks": frozenset({"W", "B3", "R3"}),
    "black3_meld": "never",
    "black3_role": "penalty",
    "open_by": "round",
    "open_table": ((1, 50), (2, 90), (3, 120), (4, 150)),
    "concealed_extra": 0,
    "ask_partner": "mandatory",
    "foot_pickup": "hand_empty",
    "rounds": 4,
}
"""Shared by the three games: two naturals take the pile, four deals are a game, threes are not melded."""

_ALONE: Mapping[str, Any] = {"teams": "solo", "ask_partner": "none"}

_PAIRS: Mapping[int, Mapping[str, Any]] = {
    2: _ALONE,
    3: _ALONE,
    4: {"teams": "2x2"},
    5: _ALONE,
    6: {"teams": "3x2"},
}
"""The sides: pairs if the number of players is even, else each alone."""

_FOUNDING: Mapping[str, Any] = {
    **_COMMON,
    "foot_size": 11,
    "pile_take": 5,
    "red3_role": "penalty",
    "red3_in_hand": -300,
    "out_canastas": 7,
    "out_need": (("natural", 3), ("mixed", 4)),
}

_FOUNDING_ALONE: Mapping[str, Any] = {**_ALONE, "out_canastas": 3, "out_need": (("natural", 1), ("mixed", 2))}

_AMERICAN: Mapping[str, Any] = {
    **_COMMON,
    "foot_size": 11,
    "upcard_specials": "reinsert_all",
    "pile_take": 7,
    "wild_ratio": "nat>w",
    "meld_max": 7,
    "wild_on_canasta": "never",
    "same_rank_melds": "after_close",
    "take_add_canasta": False,
    "red3_role": "penalty",
    "out_canastas": 2,
    "out_need": (("natural", 1), ("mixed", 1)),
    "foot_run": True,
    "stock_end": "stop",
}

_PAGAT: Mapping[str, Any] = {
    **_AMERICAN,
    "hand_size": 13,
    "foot_size": 13,
    "meld_kinds": frozenset({"set", "wild"}),
    "max_wilds": 2,
    "wild_ratio": "nat>=2w",
    "red3_role": "bonus",
    "red3_sign": "always",
    "red3_in_hand": -100,
    "bonus_wild": (("any", 1500),),
    "out_canastas": 5,
    "out_need": (("natural", 2), ("mixed", 2), ("wild", 1)),
    "foot_partner_gate": "in_foot",
}

_PENNIES: Mapping[str, Any] = {
    "players": 6,
    "teams": "2x3",
    "decks": 4,
    "hand_size": 13,
    "foot_size": 11,
    "draw": 2,
    "discard_bans": frozenset({"7_until_both", "7_last"}),
    "meld_kinds": frozenset({"set", "wild"}),
    "meld_max": 7,
    "wild_on_canasta": "never",
    "open_table": ((None, 50), (500, 90), (1000, 120), (1500, 150)),
    "take_open": frozenset({"pair"}),
    "take_add_canasta": False,
    "red3_values": (100, 200, 300, 400, 500, 600, 700, 1000),
    "red3_sign": "sevens",
    "bonus_wild": (("any", 1000),),
    "bonus_rank": (("7", 1500),),
    "out_canastas": 4,
    "out_need": (("natural", 1), ("mixed", 1), ("wild", 1), ("7", 1)),
    "foot_pickup": "first_canasta",
    "target": 20_000,
}


def _forms_by_players(
    name: str, common: Mapping[str, Any], forms: Mapping[int, Mapping[str, Any]], *, fewest_packs: int = 2
) -> dict[int, RuleSet]:
    """Return a form for each number of players, with one deck more than players.

    Every red three counts 100 points.
    """
    made = []
    for players, form in forms.items():
        packs = max(fewest_packs, players + 1)
        threes = tuple(100 * count for count in range(1, 2 * packs + 1))
        made.append({"players": players, "decks": packs, "red3_values": threes, **form})
    return forms_by_players(name, common, *made)


HAND_AND_FOOT = _forms_by_players(
    "hand-and-foot",
    _FOUNDING,
    {players: form if form is not _ALONE else _FOUNDING_ALONE for players, form in _PAIRS.items()},
    fewest_packs=4,  # the Afrikaans article (S3), line 144
)
HAND_AND_FOOT_ALONE = _forms_by_players("hand-and-foot-alone", _FOUNDING, {4: _FOUNDING_ALONE, 6: _FOUNDING_ALONE})
HAND_AND_FOOT_US = _forms_by_players("hand-and-foot-us", _AMERICAN, _PAIRS)
HAND_AND_FOOT_US_TRIOS = _forms_by_players("hand-and-foot-us-trios", _AMERICAN, {6: {"teams": "2x3"}})
HAND_AND_FOOT_PAGAT = _forms_by_players("hand-and-foot-pagat", _PAGAT, _PAIRS)
HAND_AND_FOOT_PAGAT_TRIOS = _forms_by_players("hand-and-foot-pagat-trios", _PAGAT, {6: {"teams": "2x3"}})
PENNIES = forms_by_players("pennies", {}, _PENNIES)


HAND_AND_FOOT_NOTES = RuleSetNotes(
    source="The section on hand and foot of the article in the Afrikaans encyclopaedia, lines 142 to 184",
    sure="medium",
    open_points=(
        (
            "You pick up the foot when your hand is empty and play it from your next turn on, even if you melded "
            "your last card"
        ),
        "A pile of fewer than five cards may be taken too, as a whole",
        "A foot that was not picked up counts like the hand: the text counts threes in the hand or in the foot",
        "The text does not call the pile frozen, but only two naturals take it",
        (
            "The text does not say how the stock runs out or who wins after four deals; here as in the classic "
            "game, by points"
        ),
        "The text also names four pairs (line 144); a table has at most six seats, so eight cannot play",
    ),
    points_of_forms={"Two players alone play with four packs, the fewest the text names": (2,)},
)
HAND_AND_FOOT_ALONE_NOTES = RuleSetNotes(
    source="The same text on playing without partners (line 149)",
    sure="medium",
    open_points=(*HAND_AND_FOOT_NOTES.open_points[:3], HAND_AND_FOOT_NOTES.open_points[-1]),
)
HAND_AND_FOOT_US_NOTES = RuleSetNotes(
    source="The rules that most of seven American pages and a questionnaire on Hand and Foot share",
    sure="medium",
    open_points=(
        (
            "There is no standard: packs, cards dealt, ways to take the pile, canastas needed to go out and "
            "bonuses all vary"
        ),
        (
            "A red three held at the end of the deal costs 500; in other sources it is laid out for +100, or "
            "costs 100 or 300"
        ),
        "A pile of fewer than seven cards may be taken too, as a whole",
        (
            "A foot that was not picked up counts like the hand: one text counts threes in hand or foot, the "
            "others are silent"
        ),
        "There are no 100 points for cutting exactly the 22 cards to be dealt, because no player cuts the pack here",
        (
            "The deal ends when the stock is used up, even if no player has gone out; in some sources the pile "
            "becomes a new stock"
        ),
    ),
)
HAND_AND_FOOT_US_TRIOS_NOTES = RuleSetNotes(
    source="The same rules for two trios",
    sure="medium",
    open_points=HAND_AND_FOOT_US_NOTES.open_points,
)
HAND_AND_FOOT_PAGAT_NOTES = RuleSetNotes(
    source="Pagat's page on Hand and Foot, in excerpts",
    sure="medium",
    open_points=(
        "Thirteen cards each in hand and foot; eleven are common too",
        (
            "One wild card needs two naturals or more, two need four or more; some sources only ask for more "
            "naturals than wild cards"
        ),
        "You may go out only after your partner has picked up the foot; some sources ask for a turn played with it too",
        "A red three in a foot that was not picked up costs 100",
        "A pile of fewer than seven cards may be taken too, as a whole",
    ),
)
HAND_AND_FOOT_PAGAT_TRIOS_NOTES = RuleSetNotes(
    source="The same rules for two trios",
    sure="medium",
    open_points=HAND_AND_FOOT_PAGAT_NOTES.open_points,
)
PENNIES_NOTES = RuleSetNotes(
    source="Pagat's page on Pennies from Heaven, rummy-games.com and two more",
    sure="medium",
    open_points=(
        "You pick up the foot at the end of the turn in which you complete your first canasta",
        "Before that you may not play your last card",
        "A foot that was not picked up counts against its side; each red three in it costs 500",
        "You may discard sevens once each side has a canasta of sevens; by one page your own side's is enough",
        "The minimum rises with the score from 500 points on; one page keeps the classic steps. Below zero it is 50",
        "Two sides of three play; one page has three pairs. No page has another number of players",
        "Going out counts 100 here; no page says so",
    ),
)
