"""Themes: each theme of the library played out, combinations, refusals and storage."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.engine.cards.cards import NINE, full_pack
from bot.engine.law.rule_conflicts import ProblemCode, RuleProblem, find_rule_problems
from bot.engine.moves import phases
from bot.engine.moves.actions import Discard, StartDeal
from bot.engine.moves.refusals import Code
from bot.engine.play.decide import why_not_allowed
from bot.engine.play.invariants import count_all_cards
from bot.engine.play.legal_steps import legal_actions
from bot.engine.positions.position_reading import read_position, write_position
from bot.engine.rules.case_fields import PositionError
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.seating import seating_of
from bot.engine.rules.sets import RULE_SETS, rule_set
from bot.engine.rules.themes.conditions import CANASTAS, KINDS, RANKS, UNTILS, WHATS, Condition, Theme
from bot.engine.rules.themes.named_themes import THEMES, theme_names, with_themes
from bot.engine.rules.themes.own_themes import (
    CHOICES,
    END_NUMBERS,
    OWN,
    OWN_BY_DEAL,
    is_condition_complete,
    own_conditions,
    with_condition,
    without_condition,
)
from bot.engine.table.state import State, new_game, seat_to_act
from bot.i18n import locales, words
from bot.store.errors import UndecodableData
from bot.store.game_forms import decode_rules, encode_rules
from tests.support.random_play import apply_action, seeded_pack
from tests.support.seeds import FROM, SEARCHING, TIMES, seeds

CLASSIC, SAMBA = rule_set("classic", 4), rule_set("samba", 4)
CASES = json.loads((Path(__file__).parents[2] / "data" / "cases" / "themes.json").read_text())
DEALS = {"classic": 2 if SEARCHING else 1, "samba": 1}
"""Deals played for each theme by day; `make nightly` plays many times as many."""

TOGETHER = 6
"""The most themes that a random table combines."""

MOST_STEPS = 3000
LAYING = 0.7
"""The probability with which a seat melds or takes the pile if it can."""


def play_theme_deal(rules: RuleSet, seed: int, *, deal: int) -> State:
    """Play deal number `deal` at random; check that it ends, always with a legal step and no lost card."""
    random = Random(seed)
    pack = seeded_pack(rules, seed)
    dealer = seating_of(rules.teams, rules.players, deal).seats[0]
    state = apply_action(replace(new_game(rules, dealer=dealer), deal=deal - 1), None, StartDeal(pack))
    for _ in range(MOST_STEPS):
        if state.phase in (phases.BETWEEN, phases.OVER):
            break
        legal = legal_actions(state)
        assert legal, (theme_names(rules), seed)
        laying = [step for step in legal if not isinstance(step, Discard)]
        step = random.choice(laying if laying and random.random() < LAYING else legal)
        state = apply_action(state, seat_to_act(state), step)
    assert deal == state.results[-1].deal
    assert Counter(full_pack(rules.decks, rules.jokers_per_deck)) == count_all_cards(state)
    return state


WITH_RULES = [
    (name, rules)
    for number, name in enumerate(THEMES)
    for turn, rules in enumerate((CLASSIC, SAMBA))
    if SEARCHING or turn == number % 2
]
"""Every theme with the classic rules and with Samba; in a normal run with one of them, in turn."""


@pytest.mark.parametrize(
    ("name", "rules"), WITH_RULES, ids=lambda value: value if isinstance(value, str) else value.name
)
def test_every_theme_always_leaves_a_legal_step(name: str, rules: RuleSet) -> None:
    themed = with_themes(rules, [name])
    assert () == find_rule_problems(themed)
    for seed in seeds(max(DEALS[rules.name], len(THEMES[name].turns))):
        play_theme_deal(themed, seed, deal=1 + seed % len(THEMES[name].turns))


@pytest.mark.parametrize("name", RULE_SETS)
def test_themes_can_be_combined_in_every_rule_set(name: str) -> None:
    random = Random(f"{name} {FROM}")
    players, rules = random.choice(sorted(RULE_SETS[name].items()))
    tried = 0
    while tried < (2 * TIMES if SEARCHING else 1):
        themed = with_themes(rules, random.sample(list(THEMES), random.randint(2, TOGETHER)))
        if not find_rule_problems(themed):
            state = play_theme_deal(themed, tried, deal=1 + tried)
            assert players == state.rules.players
            tried += 1


def test_every_condition_has_a_case_that_is_accepted_and_one_that_is_refused() -> None:
    shown = {
        (one.what, word) for case in CASES for one in _conditions_of_case(case) for word in _expected_outcomes(case)
    }
    told = {what for what in WHATS if what != "wins_with"}
    assert told <= {what for what, word in shown if word.startswith("theme")}
    assert set(WHATS) <= {what for what, word in shown if word == "ok"}


def _conditions_of_case(case: dict[str, Any]) -> list[Condition]:
    return [one for name in case["themes"] for turn in THEMES[name].turns for one in turn]


def _expected_outcomes(case: dict[str, Any]) -> list[str]:
    return [action["expect"] for action in case["actions"]]


# --- themes that cannot be combined -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("theme", "other"),
    [
        ("ace-start", "aces-later"),
        ("seven-start", "taboo-sevens"),
        ("own-start", "taboo-queens"),
        ("lucky-sevens", "taboo-sevens"),
        ("golden-aces", "small-aces"),
    ],
)
def test_themes_that_cannot_be_combined_are_refused(theme: str, other: str) -> None:
    problem = RuleProblem(ProblemCode.THEMES_CLASH, {"theme": theme, "other": other})
    assert (problem,) == find_rule_problems(with_themes(CLASSIC, [theme, other]))
    assert (problem,) == find_rule_problems(with_themes(CLASSIC, [other, theme]))


def test_themes_under_which_no_deal_can_end_are_refused() -> None:
    problem = RuleProblem(ProblemCode.THEME_ENDLESS, {"theme": "to-the-last-card"})
    assert problem in find_rule_problems(with_themes(replace(CLASSIC, stock_end="reshuffle"), ["to-the-last-card"]))
    assert () == find_rule_problems(with_themes(CLASSIC, ["to-the-last-card"]))


def test_a_theme_cannot_require_a_canasta_unknown_to_the_rules() -> None:
    theme = Theme("runs", ((Condition("out_with", ("run",)),),))
    problem = RuleProblem(ProblemCode.THEME_CANNOT_ARISE, {"theme": "runs"})
    assert problem in find_rule_problems(replace(CLASSIC, theme=(theme,)))
    assert () == find_rule_problems(replace(SAMBA, theme=(theme,)))


def test_themes_must_leave_some_ranks_to_meld() -> None:
    theme = Theme("high", ((Condition("no_meld", ("4", "5", "6", "7", "8", "9", "T", "J", "Q")),),))
    assert RuleProblem(ProblemCode.THEMES_LEAVE_NO_RANKS, {"deal": 1}) in find_rule_problems(
        replace(CLASSIC, theme=(theme,))
    )


# --- storage ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", THEMES)
def test_a_theme_is_stored_with_all_its_conditions(name: str) -> None:
    themed = with_themes(SAMBA, [name, "keep-aces"])
    data = json.loads(json.dumps(encode_rules(themed)))
    assert themed == decode_rules(data)
    assert data["theme"][0]["turns"]
    data["theme"][0]["turns"][0][0]["what"] = "anything"
    with pytest.raises(UndecodableData):
        decode_rules(data)


def test_a_position_names_its_themes() -> None:
    case = {**CASES[0], "themes": ["freeze-once", "keep-aces"]}
    state = replace(read_position(case), froze=True)
    assert ("freeze-once", "keep-aces") == theme_names(state.rules)
    assert state == read_position(write_position(state))
    with pytest.raises(PositionError, match=r"themes\.0"):
        read_position({**case, "themes": ["nothing"]})


@pytest.mark.parametrize(
    ("theme", "canasta", "code"),
    [
        ("natural-exit", "4s 4h 4d 4c 4s 4h 4d", None),
        ("natural-exit", "4s 4h 4d 4c 4s 4h 2d", Code.THEME_OUT_NEEDS),
        ("royal-exit", "4s 4h 4d 4c 4s 4h 4d", Code.THEME_OUT_NEEDS),
        ("royal-exit", "Ks Kh Kd Kc Ks Kh 2d", None),
    ],
)
def test_the_last_card_is_discarded_only_with_the_canasta_that_a_theme_demands(
    theme: str, canasta: str, code: Code | None
) -> None:
    hands = {"0": "9s", "1": "4c 5c"}
    position = {"turn": 0, "phase": "play", "hands": hands, "stock": "9c 8d", "pile": "6d", "melds": {"0": [canasta]}}
    state = read_position({"rules": "classic", "themes": [theme], "position": position})
    refusal = why_not_allowed(state, 0, Discard(NINE))
    assert code is (None if refusal is None else refusal.code)


def test_the_library_uses_only_known_words() -> None:
    assert len(THEMES) >= 24
    for theme in THEMES.values():
        for condition in [one for turn in theme.turns for one in turn]:
            assert condition.what in WHATS
            assert condition.until in UNTILS
            assert condition.canasta in CANASTAS
            assert set(condition.ranks) <= set(RANKS)


@pytest.mark.parametrize("locale", locales())
def test_every_theme_has_a_title_and_a_sentence(locale: str) -> None:
    said = words(locale)
    told = {key for key in said.entries if key.startswith("theme.")}
    assert {f"theme.{name}.{part}" for name in THEMES for part in ("title", "about")} == told
    titles = [said(f"theme.{name}.title") for name in THEMES]
    assert len(set(titles)) == len(THEMES)
    assert not any("," in title for title in titles)
    assert all(said(f"theme.{name}.about").endswith(".") for name in THEMES)


# --- themes composed at a table ---------------------------------------------------------------------------------------

COMPOSED = (30 if SEARCHING else 20) * TIMES
"""Number of rules with randomly composed conditions that are played; together they have each sort of condition."""


def random_condition(random: Random) -> Condition:
    """Return a random condition that can be composed at a table."""
    what = random.choice(list(CHOICES))
    choices = CHOICES[what]
    until = random.choice(choices.untils)
    count = min(len(choices.ranks), max(choices.least, random.choice((1, 1, 2, 4))))
    ranks = tuple(random.sample(choices.ranks, count))
    number = random.choice(END_NUMBERS[until]) if until in END_NUMBERS else min(choices.most, random.randint(1, 3))
    canasta = random.choice(CANASTAS) if choices.canastas or until == "canasta" else "any"
    return Condition(what, ranks, canasta, number, until, choices.by_seat and random.random() < 0.3)


def test_every_composed_theme_is_refused_or_always_leaves_a_legal_step() -> None:
    random = Random(5 + FROM)
    count = 0
    seen: set[str] = set()
    while count < COMPOSED:
        name = random.choice(list(RULE_SETS))
        _, rules = random.choice(sorted(RULE_SETS[name].items()))
        for _ in range(random.randint(1, 4)):
            condition = random_condition(random)
            assert is_condition_complete(condition)
            rules = with_condition(rules, condition, by_deal=random.random() < 0.3)
        if not find_rule_problems(rules):
            play_theme_deal(rules, count, deal=1)
            count += 1
            seen |= {one.what for theme in rules.theme for turn in theme.turns for one in turn}
    assert CHOICES.keys() == seen


def rules_with_conditions(*conditions: Condition, rules: RuleSet = CLASSIC) -> RuleSet:
    for one in conditions:
        rules = with_condition(rules, one, by_deal=False)
    return rules


def test_own_conditions_are_added_and_removed_next_to_those_of_the_library() -> None:
    one, other = Condition("no_pile"), Condition("no_meld", ("7",))
    rules = with_condition(with_themes(CLASSIC, ["keep-aces"]), other, by_deal=True)
    rules = with_condition(with_condition(rules, one, by_deal=False), one, by_deal=False)
    assert ("keep-aces", OWN, OWN_BY_DEAL) == theme_names(rules)
    assert ((OWN, one), (OWN_BY_DEAL, other)) == own_conditions(rules)
    assert rules == without_condition(rules, other, by_deal=False)
    assert ("keep-aces", OWN) == theme_names(without_condition(rules, other, by_deal=True))


@pytest.mark.parametrize(
    ("rules", "problem"),
    [
        (
            rules_with_conditions(Condition("open_with", ("A",)), Condition("no_meld", ("A",))),
            RuleProblem(ProblemCode.THEME_AGAINST_ITSELF, {"theme": OWN}),
        ),
        (
            rules_with_conditions(Condition("canasta_first", ("K",)), Condition("no_meld", ("K",), until="canasta")),
            RuleProblem(ProblemCode.THEME_AGAINST_ITSELF, {"theme": OWN}),
        ),
        (
            rules_with_conditions(Condition("out_with", canasta="mixed", number=1), Condition("no_meld", ("2", "JK"))),
            RuleProblem(ProblemCode.THEME_AGAINST_ITSELF, {"theme": OWN}),
        ),
        (
            rules_with_conditions(Condition("no_meld", ("2", "JK"), "mixed", until="canasta")),
            RuleProblem(ProblemCode.THEME_CANNOT_ARISE, {"theme": OWN}),
        ),
        (
            rules_with_conditions(Condition("out_with", ("K",), number=2)),
            RuleProblem(ProblemCode.THEME_CANNOT_ARISE, {"theme": OWN}),
        ),
        (
            rules_with_conditions(Condition("no_discard", tuple(KINDS))),
            RuleProblem(ProblemCode.THEMES_LEAVE_NO_DISCARDS, {"deal": 1}),
        ),
        (
            rules_with_conditions(Condition("no_canasta", tuple(KINDS)[:11])),
            RuleProblem(ProblemCode.THEMES_LEAVE_NO_CANASTAS, {"deal": 1}),
        ),
        (
            rules_with_conditions(*(Condition("open_with", (rank,)) for rank in "4567")),
            RuleProblem(ProblemCode.THEMES_OPENING_TOO_LARGE, {"deal": 1, "cards": 12, "hand": 11}),
        ),
        (
            replace(
                rules_with_conditions(*(Condition("open_with", (rank,)) for rank in "4567")), hand_size=(13, 12, 7)
            ),
            RuleProblem(ProblemCode.THEMES_OPENING_TOO_LARGE, {"deal": 3, "cards": 12, "hand": 7}),
        ),
        (
            with_themes(rule_set("hand-and-foot", 4), ["no-wild-cards"]),
            RuleProblem(ProblemCode.NEED_CANNOT_ARISE, {"need": "mixed"}),
        ),
    ],
    ids=lambda one: one.code.value if isinstance(one, RuleProblem) else "",
)
def test_conditions_that_cannot_be_met_are_refused(rules: RuleSet, problem: RuleProblem) -> None:
    assert (problem,) == find_rule_problems(rules)


def test_conditions_of_different_deals_do_not_conflict() -> None:
    aces = Condition("open_with", ("A",), number=2, until="deal")
    rules = with_condition(CLASSIC, aces, by_deal=False)
    free, banned = Condition("freeze_once"), Condition("no_meld", ("A",))
    later = with_condition(with_condition(rules, free, by_deal=True), banned, by_deal=True)
    assert () == find_rule_problems(later)
    assert () != find_rule_problems(with_condition(rules, banned, by_deal=True))


def test_a_position_lists_composed_themes_with_all_their_conditions() -> None:
    own = {"name": OWN, "turns": [[{"what": "no_discard", "ranks": ["A"]}, {"what": "no_pile", "until": "opened"}]]}
    case = {**CASES[0], "themes": ["keep-stoppers", own]}
    state = read_position(case)
    assert ["keep-stoppers", own] == write_position(state)["themes"]
    assert state == read_position(write_position(state))
    for path, theme in (
        ("themes.0.turns", {"turns": []}),
        ("themes.0.turns.0.0.what", {"turns": [[{"what": "anything"}]]}),
        ("themes.0.turns.0.0.ranks", {"turns": [[{"what": "no_meld"}]]}),
        ("themes.0.turns.0.0.ranks", {"turns": [[{"what": "no_meld", "ranks": ["run"]}]]}),
        ("themes.0.turns.0.0.until", {"turns": [[{"what": "no_pile", "until": "later"}]]}),
    ):
        with pytest.raises(PositionError) as refused:
            read_position({**case, "themes": [theme]})
        assert path == refused.value.field
