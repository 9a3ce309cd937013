"""The engine's steps in the variants are those of an oracle written from `docs/law/variants.md` alone."""

from __future__ import annotations

from typing import Any

import pytest

from bot.engine.cards.cards import JACK, QUEEN, TEN
from bot.engine.cards.meld_places import DEUCE_MELD, WILD_MELD
from bot.engine.moves.actions import (
    PASS,
    TAKE_BACK,
    Combine,
    Discard,
    LayRun,
    Meld,
    Step,
    Take,
    discard_step,
    meld_step,
)
from bot.engine.moves.phases import Phase
from bot.engine.play.decide import is_allowed
from bot.engine.play.legal_steps import legal_actions
from bot.engine.positions.position_reading import read_position, write_position
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import RULE_SETS, rule_set
from bot.engine.rules.themes.named_themes import THEMES
from bot.engine.table.state import State
from tests.support.random_play import apply_action
from tests.support.seeds import SEARCHING, seeds
from tests.support.small_positions import has_variant_melds
from tests.support.small_variant_positions import (
    MAKERS,
    nearly_winning_position,
    play_random_turn,
    special_hand_position,
)
from tests.support.variant_melds import Position
from tests.support.variant_oracle import legal_steps
from tests.support.variant_special_hands import may_keep_three, showable_hands
from tests.support.variant_translation import translate_step

VARIED = [rules for forms in RULE_SETS.values() for rules in forms.values() if has_variant_melds(rules)]
WITH_SPECIAL_HANDS = [rules for rules in VARIED if rules.special_hands]

SEEDS = {"small": 24, "tight": 8} if SEARCHING else {"small": 10, "tight": 4}
"""Walks of each maker by day; `make nightly` makes many times as many, with new seeds each night."""


def name_of(rules: RuleSet) -> str:
    return f"{rules.name}-{rules.players}"


def oracle_difference(state: State, position: Position) -> str:
    """Return how engine and oracle differ about the legal steps, as text; empty if they agree."""
    listed = {translate_step(state, step) for step in legal_actions(state)}
    lawful = set(legal_steps(position))
    if listed == lawful:
        return ""
    turn = f"laid {state.laid_points}, aside {state.aside}, permission {state.permission}, {position.opening}"
    return f"missing {lawful - listed}, too many {listed - lawful}, at {write_position(state)}, {turn}"


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("rules", VARIED, ids=name_of)
def test_legal_steps_match_the_oracle(rules: RuleSet, maker: str) -> None:
    compared = 0
    for seed in seeds(SEEDS[maker]):
        for state, position in play_random_turn(rules, seed, build_position=MAKERS[maker]):
            assert not oracle_difference(state, position)
            compared += 1
    assert compared > SEEDS[maker] // 2


@pytest.mark.parametrize("rules", VARIED, ids=name_of)
def test_every_card_is_melded_to_go_out_if_the_last_may_not_be_discarded(rules: RuleSet) -> None:
    for seed in seeds(10):
        maker = MAKERS["small" if seed % 4 else "tight"]
        for state, position in play_random_turn(
            rules, seed, build_position=maker, options={"out_discard": "forbidden"}
        ):
            assert not oracle_difference(state, position)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("maker", MAKERS)
def test_legal_steps_match_the_oracle_under_every_theme(theme: str, maker: str) -> None:
    compared = 0
    for seed in seeds(SEEDS[maker] // 2):
        rules = rule_set(("classic", "samba", "hand-and-foot-us", "modern-american")[seed % 4], 4)
        for state, position in play_random_turn(rules, seed, build_position=MAKERS[maker], themes=[theme]):
            assert not oracle_difference(state, position)
            compared += 1
    assert compared


WAYS_TO_WIN: list[tuple[list[str], dict[str, Any]]] = [
    (["golden-aces"], {}),
    (["golden-aces", "to-the-last-card"], {}),
    (["lucky-sevens"], {"out_discard": "mandatory"}),
    (["lucky-sevens", "kings-first"], {"out_discard": "forbidden"}),
    (["golden-aces", "lucky-sevens"], {"ask_partner": "mandatory"}),
    ([], {"auto_win": "7_canastas", "ask_partner": "mandatory"}),
    ([], {"auto_win": "7_canastas", "out_canastas": 8}),
]


@pytest.mark.parametrize(("themes", "options"), WAYS_TO_WIN, ids=str)
def test_a_winning_canasta_ends_the_turn_by_itself(themes: list[str], options: dict[str, Any]) -> None:
    for seed in seeds(12):
        rules = rule_set(("classic", "samba", "hand-and-foot-us", "modern-american", "tampa", "italian")[seed % 6], 4)
        for state, position in play_random_turn(
            rules, seed, build_position=nearly_winning_position, options=options, themes=themes
        ):
            assert not oracle_difference(state, position)


WITH_WORDS: list[dict[str, Any]] = [
    {"ask_partner": "mandatory"},
    {"out_announce": True, "ask_partner": "none"},
    {"ask_partner": "mandatory", "out_discard": "mandatory", "open_waiver": ["first_canasta_top"]},
    {"ask_partner": "mandatory", "meld_after_take": False, "draw_with_pile": 1},
    {"ask_partner": "mandatory", "open_pile": "hand_first", "ask_once": True},
    {"ask_partner": "optional", "penalties": "laws"},
    {"ask_partner": "optional", "penalties": "singkep"},
    {"ask_partner": "optional", "take_twos": True, "draw_with_pile": 1, "out_canastas_before": True},
]


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("options", WITH_WORDS, ids=str)
def test_an_announcement_before_going_out_is_legal_where_the_oracle_says_so(
    options: dict[str, Any], maker: str
) -> None:
    for seed in seeds(SEEDS[maker]):
        name = ("classic", "samba", "hand-and-foot-us", "modern-american", "tampa", "uruguay-modern")[seed % 6]
        for state, position in play_random_turn(rule_set(name, 4), seed, build_position=MAKERS[maker], options=options):
            assert not oracle_difference(state, position)


WITH_TALONS: list[dict[str, Any]] = [
    {"discard_bans": ["J"], "talon": [2]},
    {"discard_bans": ["J", "wilds"], "talon": [4, 3]},
    {"discard_bans": ["J", "threes", "7_last"], "talon": [4, 3], "talon_with_pile": True, "open_pile": "yes"},
]


@pytest.mark.parametrize("options", WITH_TALONS, ids=str)
def test_the_opener_keeps_a_discardable_card_before_the_talon_comes(options: dict[str, Any]) -> None:
    for seed in seeds(15):
        rules = rule_set(("modern-american", "modern-american-pagat", "cuban", "bolivia", "classic")[seed % 5], 4)
        for state, position in play_random_turn(rules, seed, build_position=MAKERS["tight"], options=options):
            assert not oracle_difference(state, position)


@pytest.mark.parametrize("name", ["samba", "hand-and-foot-us", "modern-american", "pennies", "cuban"])
def test_penalty_cards_are_discarded_first_as_the_oracle_says(name: str) -> None:
    compared = 0
    rules = rule_set(name, 6 if name == "pennies" else 4)
    for seed in seeds(SEEDS["small"]):
        options = {"penalties": ("laws", "singkep", "italian-club")[seed % 3]}
        for state, position in play_random_turn(
            rules, seed, build_position=MAKERS["small" if seed % 4 else "tight"], options=options
        ):
            assert not oracle_difference(state, position)
            compared += bool(position.exposed)
    assert compared > SEEDS["small"] // 4


@pytest.mark.parametrize("name", ["classic", "samba", "hand-and-foot-us", "pennies", "mexicana"])
def test_opening_from_the_hand_takes_the_pile_as_the_oracle_says(name: str) -> None:
    """Any rules may allow it; the side may then go out, take up a foot, or add the top card to a meld."""
    compared = 0
    rules = rule_set(name, 6 if name == "pennies" else 4)
    for seed in seeds(60 if SEARCHING else 48):
        for state, position in play_random_turn(
            rules, seed, build_position=MAKERS["tight"], options={"open_pile": "hand_first"}
        ):
            assert not oracle_difference(state, position)
            compared += bool(state.phase is Phase.DRAW and state.started)
    assert compared > 5


SHAPES = [
    {"open_shape": shape, "open_count_top": counts}
    for shape in ("clean3", "clean3_or_wild")
    for counts in (True, False)
]


@pytest.mark.parametrize("options", [*SHAPES, {"open_shape": "br_ladder"}, {"open_shape": "naturals"}], ids=str)
def test_initial_melds_have_the_shape_that_the_oracle_requires(options: dict[str, Any]) -> None:
    """Some of these rules let a side open with the pile, or go out without the minimum."""
    for seed in seeds(12):
        rules = rule_set(("classic", "samba", "tampa", "bolivia")[seed % 4], 4)
        for state, position in play_random_turn(rules, seed, build_position=MAKERS["tight"], options=options):
            assert not oracle_difference(state, position)


@pytest.mark.parametrize("maker", MAKERS)
def test_a_full_run_grows_card_by_card_where_no_question_is_needed(maker: str) -> None:
    for seed in seeds(SEEDS[maker]):
        for state, position in play_random_turn(
            rule_set("brazilian", 4), seed, build_position=MAKERS[maker], options={"ask_partner": "none"}
        ):
            assert not oracle_difference(state, position)


@pytest.mark.parametrize("rules", WITH_SPECIAL_HANDS, ids=name_of)
def test_special_hands_are_shown_where_the_oracle_says_so(rules: RuleSet) -> None:
    showed: set[object] = set()
    for seed in seeds(48):
        for state, position in play_random_turn(rules, seed, build_position=special_hand_position):
            steps = {translate_step(state, step) for step in legal_actions(state)}
            assert {("show", name) for name in showable_hands(position)} == {
                step for step in steps if step[0] == "show"
            }
            assert may_keep_three(position) == (("keep",) in steps)
            showed |= showable_hands(position)
    assert len(showed) > len(rules.special_hands) // 2


TOPPED = {"phase": "play", "opened": {"0": False}, "drew": "pile", "aside": True, "claimed": "6s", "stock": "9c 8d 8h"}
"""Fields of a position in which the pile's top six was melded, and the rest of the pile waits for the initial meld."""

CASES: dict[str, tuple[dict[str, Any], dict[str, Any], Step, bool]] = {
    "3.1 melds of a rank may be laid together at any time, also to make the canasta that lets one go out": (
        {"rules": "tampa", "options": {"out_canastas": 1}},
        {"hands": {"0": "Kh Kh"}, "pile": "Tc Kc", "stock": "9c", "melds": {"0": ["Ks Ks Kd Kd"]}},
        Take(naturals=2),
        True,
    ),
    "3.1 no wild card joins a finished canasta, whichever of the two melds was begun first": (
        {"rules": "tampa"},
        {
            "phase": "play",
            "hands": {"0": "Kd 5s 6h"},
            "melds": {"0": ["Jd Jd 2h JK", "Jd Jd Jd Jd Jd Jd Jd"]},
        },
        Combine(39, 7),
        False,
    ),
    "3.1 two melds make a canasta with wild cards of which neither has become one before": (
        {"rules": "tampa"},
        {"phase": "play", "hands": {"0": "Tc 4s"}, "melds": {"0": ["6s 6s 6d 6d 6c 6c", "6h 6h JK JK"]}},
        Combine(34, 2),
        True,
    ),
    "3.1, classic 1.19 with the stock out a top card that fits a run has to be taken": (
        {"rules": "samba"},
        {"hands": {"0": "9s 2s 4d"}, "pile": "Kd As", "melds": {"0": ["Js Qs Ks"]}},
        PASS,
        False,
    ),
    "3.6 twos melded as a rank are natural, in an initial meld too": (
        {"rules": "italian"},
        {"phase": "play", "hands": {"0": "8s 8d Kd 2s 2h 2d JK JK"}, "stock": "8h"},
        Meld(DEUCE_MELD, 0, 3, 0),
        True,
    ),
    "3.10 who opens from the hand may add a card of the top's rank to a run, if others are kept to claim it": (
        {"rules": "samba", "options": {"open_pile": "hand_first"}},
        {"hands": {"0": "Js Qs Ks As As As Ad"}, "stock": "9c 8d 8h", "pile": "9h 5h Ac", "opened": {"0": False}},
        LayRun(16, 7, 9),
        True,
    ),
    "3.11 wild cards that would make a needed natural canasta a mixed one do not let one go out": (
        {"rules": "hand-and-foot", "options": {"out_canastas": 2, "out_need": {"natural": 1, "mixed": 1}}},
        {
            "phase": "play",
            "hands": {"0": "Jh 2d 2c", "2": "4s"},
            "melds": {"0": ["4s 4s 4h 4h 4d 4d 4c", "5s 5s 5h 5d 2s 2s 2h"]},
            "permission": True,
            "joined": True,
        },
        discard_step(JACK),
        True,
    ),
    "3.1, classic 1.11 melds laid together with the top card's are the canasta that needs no minimum": (
        {"rules": "samba", "options": {"open_waiver": ["first_canasta_top"]}, "scores": [8000, 0]},
        {**TOPPED, "hands": {"0": "6d 6c 8h 9h 2h 2d"}, "melds": {"0": ["6s 6h 6c"]}, "begun": [0]},
        Meld(34, 2, 1, 0),
        True,
    ),
    "3.1, classic 1.11 too few of the top card's rank to lay together need the minimum": (
        {"rules": "samba", "options": {"open_waiver": ["first_canasta_top"]}, "scores": [8000, 0]},
        {**TOPPED, "hands": {"0": "6d 6c 8h 9h 2h"}, "melds": {"0": ["6s 6h 6c"]}, "begun": [0]},
        Meld(34, 2, 1, 0),
        False,
    ),
    "3.1, classic 1.11 the canasta that needs no minimum is made by laying melds together": (
        {"rules": "samba", "options": {"open_waiver": ["first_canasta_top"]}, "scores": [8000, 0]},
        {**TOPPED, "hands": {"0": "8h 9h"}, "melds": {"0": ["6s 6h 6c 2h", "6d 6c 6d"]}, "begun": [0, 1]},
        Combine(34, 2),
        True,
    ),
    "3.5 the last card of the pile, which all have seen, may be what completes the canasta": (
        {"rules": "cuban", "options": {"out_canastas": 1}},
        {
            "phase": "play",
            "hands": {"0": "Td Tc 2h"},
            "pile": "Td",
            "stock": "9c",
            "melds": {"0": ["Ts Th Tc"]},
            "opened": {"0": False},
            "drew": "pile",
            "aside": True,
            "begun": [0],
            "claimed": "Ts",
        },
        meld_step(TEN, 2, 1),
        True,
    ),
}
"""Positions that the engine once got wrong, by paragraph: rules, position, step, and whether the step is legal."""


@pytest.mark.parametrize("name", CASES)
def test_the_engine_is_right_about_positions_it_once_decided_wrongly(name: str) -> None:
    case, position, step, lawful = CASES[name]
    state = read_position({**case, "position": {"turn": 0, **position}})
    assert lawful == (step in legal_actions(state))
    assert lawful == is_allowed(state, 0, step)


def test_after_a_yes_all_listed_steps_lead_to_going_out_even_before_opening() -> None:
    position = {"turn": 0, "phase": "play", "hands": {"0": "9c Qs Qh Qd Qc 2h 2c JK", "2": "4s"}, "permission": True}
    state = read_position({"rules": "cuban", "position": {**position, "pile": "2c Qc"}})
    listed = legal_actions(state)
    assert meld_step(QUEEN, 4, 2, 1) in listed
    assert meld_step(WILD_MELD, 0, 2, 1) not in listed
    assert all(is_allowed(state, 0, step) for step in listed)


def test_3_3_two_melds_may_be_combined_into_the_canasta_that_opens_a_side() -> None:
    position = {"turn": 0, "phase": "play", "hands": {"0": "8s 8h 9c JK", "2": "4s"}, "stock": "9d 7h", "pile": "Qc"}
    melds = {"melds": {"0": ["Qs Qs 2d", "Qh Qd Qc 2c"]}, "opened": {"0": False}, "melded_before": [], "begun": [0, 1]}
    state = read_position({"rules": "brazilian", "scores": [7000, 0], "position": {**position, **melds}})
    (together,) = [step for step in legal_actions(state) if isinstance(step, Combine)]
    assert not any(isinstance(step, Discard) for step in legal_actions(state))
    opened = apply_action(state, 0, together)
    assert opened.opened[0]
    assert any(isinstance(step, Discard) for step in legal_actions(opened))
    assert not apply_action(opened, 0, TAKE_BACK).opened[0]
