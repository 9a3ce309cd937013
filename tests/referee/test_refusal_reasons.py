"""A refusal names the real obstacle, and cites the paragraph of the table's own rules."""

from __future__ import annotations

import re
from typing import Any, Final

import pytest

from bot.engine.cards.cards import KING
from bot.engine.cards.notation import parse_cards
from bot.engine.moves.actions import Action, Lay, LayMelds, Meld, TakePile
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.play.decide import why_not_allowed
from bot.engine.play.refusal_paragraphs import paragraph_of
from bot.engine.positions.position_reading import read_position
from bot.engine.rules.sets import RULE_SETS, rule_set
from bot.i18n import words
from bot.referee.judgement import Judgement, JudgementWords, judge_action
from cogs.shared.telling.explanations import explain_problem


def lay_melds_from_text(*melds: str) -> LayMelds:
    return LayMelds(tuple(Lay(parse_cards(meld)) for meld in melds))


def take_pile_from_text(cards: str = "") -> TakePile:
    return TakePile(parse_cards(cards))


def case_with_hand(
    rules: str, phase: str, hand: str, pile: str = "6d Tc", players: int = 4, **more: Any
) -> dict[str, Any]:
    """Return a case without actions in which seat 0 acts with that hand."""
    options = more.pop("options", {})
    position = {"turn": 0, "phase": phase, "hands": {"0": hand}, "stock": "7d 6h 5d 9c", "pile": pile, **more}
    return {"rules": rules, "players": players, "options": options, "position": position}


def judge_case(case: dict[str, Any], action: Action) -> Judgement:
    judgement = judge_action(read_position(case), 0, action)
    italian = judge_action(read_position(case), 0, action, JudgementWords(words("it")))
    assert judgement.words != italian.words, "both languages say it"
    return judgement


KINGS: Final = {"0": ["Kh Kd Ks"]}
"""A meld of kings lies there, and no canasta."""

FIVES: Final = {"0": ["5s 5s 5h 5d JK", "Js Jh Jd"]}
STOCK: Final = "9c 4d Td 5d Jd 6d Qd 4c Tc 5c 7c 7d 8d 8h 9h"
"""Enough for bonus cards to come to a side that opens."""

BLACK = "3s 3s 3c"
FEW = "Your side needs a canasta before you go out. This would leave you one card: keep one to discard and one more."


@pytest.mark.parametrize(
    ("given", "action", "text"),
    [
        (case_with_hand("classic", "play", f"{BLACK} Kh Kd Ks 4d"), lay_melds_from_text(BLACK, "Kh Kd Ks"), FEW),
        (case_with_hand("classic", "play", f"{BLACK} Kh Kd Ks 4d"), lay_melds_from_text("Kh Kd Ks", BLACK), FEW),
        (case_with_hand("classic", "play", f"{BLACK} Ah Ad As 4d"), lay_melds_from_text(BLACK, "Ah Ad As"), FEW),
        (
            case_with_hand("classic", "play", f"{BLACK} Kh Kd Ks 4d 5d 6d"),
            lay_melds_from_text("Kh Kd Ks", BLACK),
            "You may meld black threes only when you go out, and you would have 3 cards left.",
        ),
        (
            case_with_hand(
                "classic", "play", "Kh 4d", melds={"0": ["Ks Kd Kc", "9s 9h 9d 9c 9s 9h 9d"]}, permission=False
            ),
            lay_melds_from_text("Kh"),
            (
                "Your partner said no: you may not go out this turn. This would leave you one card: keep one "
                "to discard and one more."
            ),
        ),
        (
            case_with_hand("classic", "draw", "Th Td", "6d Tc", melds=KINGS),
            take_pile_from_text("Th Td"),
            (
                "Your side needs a canasta before you go out. After taking the pile you would have one "
                "card: keep one to discard and one more."
            ),
        ),
        (
            case_with_hand("classic", "draw", "9s 9h 4d 5c 6s", "6d 8c", melds=KINGS),
            take_pile_from_text("9s 9h"),
            "Nines do not match the eight on top: take it with eights from your hand.",
        ),
        (
            case_with_hand("classic", "draw", "9s 9h 4d 5c 6s", "6d 8c", melds={"0": ["8s 8h 8d"]}),
            take_pile_from_text("9s 9h"),
            "Nines do not match the eight on top: take it with eights from your hand.",
        ),
        (
            case_with_hand("mexicana", "play", f"5c {BLACK}", stock=STOCK, melds=FIVES, melded_before=[]),
            lay_melds_from_text(BLACK),
            "You may meld black threes only when you go out, and with these you could not go out.",
        ),
        (
            case_with_hand("pennies", "play", BLACK, players=6, melds=KINGS, feet={"0": "8s 8h"}),
            lay_melds_from_text(BLACK),
            "You may meld black threes only when you go out, and with these you could not go out.",
        ),
        (
            case_with_hand("classic", "play", "3c", melds={"0": ["9s 9h 9d 9c 9s 9h 9d", BLACK]}),
            lay_melds_from_text("3c"),
            "You have already laid your black threes and cannot add to them.",
        ),
        (
            case_with_hand("samba", "play", "6s Js 4d 5c", melds={"0": ["7s 8s 9s"]}),
            LayMelds((Lay(parse_cards("6s Js"), 0),)),
            "That run goes from seven to nine; you can add cards only at an end.",
        ),
        (
            case_with_hand("italian-club", "draw", "4s 5s 6s 7d", "6d Kc", melds=KINGS),
            take_pile_from_text(),
            (
                "In this game you cannot take the pile just by adding its top card to a meld: use a natural pair of "
                "kings, or one natural and one wild card if the pile is not frozen."
            ),
        ),
        (
            case_with_hand("samba", "draw", "9h Th 4d 5c 6s", "6d 8h", melds=KINGS),
            take_pile_from_text("9h Th"),
            (
                "The top card makes no run with cards from your hand: add it to the end of a run on "
                "the table, or take it with a natural pair of eights."
            ),
        ),
        (
            case_with_hand("classic", "play", "Jh 4d 5c 6s", melds={"0": ["Kh Kd Ks"], "1": ["Js Jd Jc"]}),
            lay_melds_from_text("Jh"),
            (
                "A new meld needs 3 cards, at least 2 of them natural, and this one would have 1. You cannot "
                "add to the jacks of another side."
            ),
        ),
        (
            case_with_hand("classic", "play", "Jh Jd 4d 5c 6s", melds={"0": ["Kh Kd Ks"], "1": ["Js Jd Jc"]}),
            lay_melds_from_text("Jh Jd"),
            "A new meld needs 3 cards, and this one would have 2. You cannot add to the jacks of another side.",
        ),
        (
            case_with_hand("italian-club", "play", "As Ah 2s 2h 4d 5d", melds=KINGS),
            lay_melds_from_text("As Ah 2s 2h"),
            (
                "Such a meld holds one wild card at most, and this one would have 2. The meld has 2"
                " natural cards; with more of them it may have more wild cards."
            ),
        ),
        (
            case_with_hand("canastone", "draw", "8s 8h 4d 5d 6d", "2d 6d 8c", melds=KINGS),
            take_pile_from_text("8s 8h"),
            (
                "To take this pile you need three eights from your hand, without wild cards, "
                "because it contains a wild card."
            ),
        ),
        (
            case_with_hand(
                "pennies",
                "play",
                "Kh 4d",
                players=6,
                melds={"0": ["Ks Kd Kc", "9s 9h 9d 9c 9s 9h 9d", "8s 8h 8d 8c 8s 8h 2d", "2s 2h 2d 2c JK JK JK"]},
            ),
            lay_melds_from_text("Kh"),
            (
                "Your side needs 4 canastas before you go out, and has 3. Still missing: 1 canasta of sevens."
                " This would leave you one card: keep one to discard and one more."
            ),
        ),
        (
            case_with_hand("classic", "play", "9s 9h 4d 5d 6d", melds=KINGS, options={"penalties": "laws"}),
            lay_melds_from_text("9s 9h"),
            (
                "A new meld needs 3 cards, and this one would have 2. (rules 1.10) It may be done anyway, but "
                "it is an irregularity: laying cards that are no meld. Price: 100 points (1.22)."
            ),
        ),
    ],
)
def test_a_refusal_names_the_real_obstacle(given: dict[str, Any], action: Action, text: str) -> None:
    assert judge_case(given, action).words.startswith(text)


def test_a_table_names_kinds_of_canastas_in_words() -> None:
    given = case_with_hand(
        "bolivia", "play", "Kh 4d", melds={"0": ["Ks Kd Kc", "9s 9h 9d 9c 9s 9h 9d", "8s 8h 8d 8c 8s 8h 8d"]}
    )
    refusal = why_not_allowed(read_position(given), 0, lay_melds_from_text("Kh"))
    assert refusal is not None
    assert "To go out your side needs 1 canasta that is a run, and has 0." in explain_problem(words(), refusal)


def test_a_step_whose_cards_fit_no_meld_is_refused_for_too_few_naturals() -> None:
    """A step makes one meld, so its refusal does not consider further cards."""
    state = read_position(case_with_hand("classic", "play", "Kh 4d 5d 6d", melds={"0": ["9h 9d 9s"]}))
    refusal = why_not_allowed(state, 0, Meld(KING, 1, 0, 0))
    assert refusal is not None
    assert Code.MELD_TOO_FEW_NATURALS is refusal.code


# --- paragraphs -------------------------------------------------------------------------------------------------------

WILD_ELSEWHERE = {
    "italian": case_with_hand("italian", "play", "9s 9h 2c 5s 6s", melds={"0": ["2s 2h 2d"]}),
    "modern-american": case_with_hand(
        "modern-american", "play", "9s 9h 2c 5s 6s", melds={"0": ["2s 2h 2d", "9d 9c 9s 9h 9d"]}
    ),
}


@pytest.mark.parametrize(("rules", "paragraph"), [("italian", "v3.6"), ("modern-american", "v3.10")])
def test_a_refusal_about_locked_wild_cards_cites_the_tables_rule_set(rules: str, paragraph: str) -> None:
    melds = LayMelds((Lay(parse_cards("2c"), 1),)) if rules == "modern-american" else lay_melds_from_text("9s 9h 2c")
    judgement = judge_case(WILD_ELSEWHERE[rules], melds)
    assert (Code.WILDS_LOCKED, paragraph) == (judgement.code, judgement.paragraph)


SIX_JACKS: Final = {"0": ["Jh Js Jd Jh Js Jd"]}


@pytest.mark.parametrize(
    ("rules", "options", "paragraph"),
    [
        ("cuban", {}, "v3.5"),
        ("modern-american", {}, "v3.10"),
        ("italian-club", {}, "5"),
        ("hand-and-foot-us", {}, "v3.11"),
        ("classic", {"meld_max": 7}, "1.10"),
        ("cuban", {"meld_max": 8}, "1.10"),
    ],
)
def test_too_large_a_meld_cites_the_rule_set_with_a_largest_meld(
    rules: str, options: dict[str, Any], paragraph: str
) -> None:
    jacks = "Jc Jc Js" if options.get("meld_max") == 8 else "Jc Jc"
    judgement = judge_case(
        case_with_hand(rules, "play", f"{jacks} 4s 5s", options=options, melds=SIX_JACKS), lay_melds_from_text(jacks)
    )
    assert (Code.MELD_TOO_LARGE, paragraph) == (judgement.code, judgement.paragraph)


def test_too_large_a_wild_meld_cites_the_rule_set_with_wild_melds() -> None:
    given = case_with_hand("bolivia", "play", "2s 4s 5s", melds={"0": ["2s 2h 2d 2c JK JK JK"]})
    judgement = judge_case(given, LayMelds((Lay(parse_cards("2s"), 0),)))
    assert (Code.MELD_TOO_LARGE, "v3.2") == (judgement.code, judgement.paragraph)


def test_a_refusal_below_the_minimum_cites_the_rule_set_that_requires_it() -> None:
    def paragraph_of_opening_refusal(rules: str, score: int, players: int = 4) -> str:
        given = {**case_with_hand(rules, "play", "4s 4h 4d 5s 6s 7s", players=players), "scores": [score, 0]}
        judgement = judge_case(given, lay_melds_from_text("4s 4h 4d"))
        assert judgement.code in (Code.INITIAL_MELD_TOO_LOW, Code.INITIAL_MELD_UNREACHABLE)
        return judgement.paragraph

    assert ["1.11", "v3.1"] == [paragraph_of_opening_refusal("samba", 0), paragraph_of_opening_refusal("samba", 7000)]
    assert ["5", "v3.9", "v3.11"] == [
        paragraph_of_opening_refusal("italian-club", -5),
        paragraph_of_opening_refusal("joker", 0),
        paragraph_of_opening_refusal("hand-and-foot", 0),
    ]


SAYS: Final = {
    Code.MELD_TOO_LARGE: r"(three|3) to seven|seven cards|(of|to) seven",
    Code.MELD_TOO_MANY_WILDS: r"two( of them)? wild|two wild|wild cards? .*natural|fewer wild cards",
    Code.MELD_NO_SECOND: r"another (one )?of its rank|several melds of a rank",
    Code.WILD_ON_CANASTA: r"canastas? (take[s]? )?no(ne| more wild cards)|seven cards",
    Code.WILDS_LOCKED: r"unfinished|is finished",
    Code.BLACK_THREES_NEVER: r"never melded",
    Code.INITIAL_MELD_TOO_LOW: r"minimum|first melds need|points also below zero",
    Code.PILE_CLOSED_UNOPENED: r"from the hand|not take the pile to open|must open",
    Code.PILE_FROZEN: r"always frozen|natural pair|two natural cards",
    Code.TAKE_NEEDS_PAIR: r"natural pair|two natural cards",
    Code.TAKE_NEEDS_CARDS: r"natural pair|two natural cards",
    Code.TAKE_ONTO_CANASTA: r"canasta|natural pair",
    Code.NEEDS_CANASTA: r"canastas?\b.* to go out|to go out you need",
    Code.NEEDS_CANASTA_KIND: r"canastas? .*(to go out|going out)|to go out you need",
    Code.OUT_NEEDS_DISCARD: r"last (card to )?discard",
    Code.FOOT_WAITS: r"foot",
    Code.MUST_TAKE: r"must take|have to take",
}
"""Words of the paragraph that is cited for a code."""


@pytest.mark.parametrize("code", SAYS)
def test_a_cited_paragraph_of_a_rule_set_is_about_the_refusal(code: Code) -> None:
    silent = []
    for name, forms in RULE_SETS.items():
        for rules in forms.values():
            required = rules.open_table[-1][1]
            cited = paragraph_of(rules, Refusal(code, {"required": required}))
            text = words()(f"paragraph_text.{cited}")
            if cited != code.paragraph and not re.search(SAYS[code], text, re.IGNORECASE):
                silent.append(f"{name} for {rules.players}: {cited}")
    assert [] == silent


def test_a_difference_by_number_of_players_cites_the_paragraph_about_it() -> None:
    lacking = Refusal(Code.NEEDS_CANASTA, {"canastas": 0, "required": 2, "left": 1})
    assert "2.1" == paragraph_of(rule_set("classic", 2), lacking)
    assert "1.15" == paragraph_of(rule_set("classic", 4), lacking)
    assert "2.4" == paragraph_of(rule_set("uruguay", 6), lacking)
    assert "v3.1" == paragraph_of(rule_set("samba", 2), lacking)
