"""The lessons agree with the rules: every button, every act, every value mentioned."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib.resources import files
from random import Random
from typing import Any

import pytest

import bot.lessons
from bot.engine.moves.refusals import Refusal
from bot.engine.play.building_views import seat_view
from bot.engine.play.refusal_paragraphs import paragraph_of
from bot.engine.positions.position_parts import seat_at
from bot.engine.rules.case_fields import PositionError
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import rule_set
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State, seat_to_act
from bot.i18n import locales, words
from bot.lessons.lesson_replay import LEARNER, moment_at, refusal_of
from bot.lessons.lessons import Lesson, Verdict, all_lessons, read_lessons, reasons_used
from bot.referee.case_actions import try_action, with_turn_begun
from bot.referee.cases import find_differences, read_expectation
from bot.referee.judgement import outcome_of
from cogs.shared.telling.explanations import explain_problem
from tests.computer.positions import with_hidden_cards_redealt
from tests.support.seeds import seeds

DATA: Mapping[str, Any] = json.loads((files(bot.lessons) / "data.json").read_text(encoding="utf-8"))
LESSONS = all_lessons()


def wrong_buttons_and_acts(lesson: Lesson, change: Mapping[str, Any] | None = None) -> Iterator[str]:
    """Yield each button and act of a lesson with another result than its file says.

    `change` are changed rules under which the lesson is tried.
    """
    scene, state = -1, lesson.scenes[0]
    for number, step in enumerate(lesson.steps, start=1):
        if step.scene != scene:
            scene = step.scene
            state = lesson.scenes[scene]
            state = replace(state, rules=replace(state.rules, **(change or {})))
        following = state
        for place, button in enumerate(step.buttons, start=1):
            where = f"{lesson.id}, step {number}, button {place}"
            try:
                events = try_action(state, button.request)
            except Refusal as refusal:
                if button.verdict is not Verdict.REFUSED or refusal.code is not button.code:
                    yield f"{where}: refused, {refusal.code.value}"
                continue
            if button.verdict is Verdict.REFUSED:
                yield f"{where}: legal"
            if button.verdict is Verdict.WANTED:
                following = with_turn_begun(fold(state, events))
        state = following
        for act in step.then:
            try:
                state = with_turn_begun(fold(state, try_action(state, act.request)))
            except Refusal as refusal:
                yield f"{lesson.id}, after step {number}: refused, {refusal.code.value}"
                return


@pytest.mark.parametrize("name", LESSONS)
def test_every_button_does_what_the_lesson_says(name: str) -> None:
    assert [] == list(wrong_buttons_and_acts(LESSONS[name]))


CONTROLS: Mapping[str, Any] = {
    "min_naturals": 1,
    "max_wilds": 2,
    "out_canastas": 2,
    "meld_kinds": frozenset({"set", "seq"}),
    "out_discard": "forbidden",
    "frozen_unopened": False,
    "open_pile": "no",
    "bonus_natural": 400,
    "ace_value": 15,
    "draw": 2,
}


def failing_facts(lesson: Lesson, rules: RuleSet) -> list[str]:
    """Return the names of parameters whose values differ from the lesson's facts."""
    return [
        name for name, value in lesson.facts.items() if as_plain_lists(getattr(rules, name)) != as_plain_lists(value)
    ]


def as_plain_lists(value: Any) -> Any:
    """Return a value of the rules with plain lists, as JSON holds it."""
    return [as_plain_lists(one) for one in value] if isinstance(value, list | tuple) else value


@pytest.mark.parametrize("name", LESSONS)
def test_the_facts_on_which_a_lessons_words_rely_are_values_of_its_rules(name: str) -> None:
    lesson = LESSONS[name]
    assert [] == failing_facts(lesson, rule_set(lesson.rules, lesson.players))


@pytest.mark.parametrize("parameter", CONTROLS)
def test_a_changed_rule_makes_lessons_fail(parameter: str) -> None:
    found: list[str] = []
    for lesson in LESSONS.values():
        if lesson.rules == "classic":
            change = {parameter: CONTROLS[parameter]}
            found += wrong_buttons_and_acts(lesson, change)
            found += failing_facts(lesson, replace(rule_set("classic", lesson.players), **change))
    assert found or list(score_differences({parameter: CONTROLS[parameter]}))


def states_before_steps(lesson: Lesson) -> Iterator[tuple[int, State]]:
    """Yield the number of each step, from 1, and the state before it."""
    scene, state = -1, lesson.scenes[0]
    for number, step in enumerate(lesson.steps, start=1):
        if step.scene != scene:
            scene = step.scene
            state = lesson.scenes[scene]
        yield number, state
        acts = [step.wanted_button.request] if step.wanted_button else []
        for request in (*acts, *(act.request for act in step.then)):
            state = with_turn_begun(fold(state, try_action(state, request)))


@pytest.mark.parametrize("seed", seeds(1, first=2731))
def test_a_page_of_a_lesson_does_not_depend_on_hidden_cards(seed: int) -> None:
    random = Random(seed)
    for lesson in LESSONS.values():
        for number, state in states_before_steps(lesson):
            if seat_to_act(state) is not None:
                seat = seat_at(state, LEARNER)
                view = seat_view(with_hidden_cards_redealt(state, seat, random), seat)
                assert moment_at(lesson, number).view == view


EXPECTED = [
    (LESSONS[lesson["id"]], number, scene["expect"])
    for lesson in DATA["lessons"]
    for number, scene in enumerate(lesson["scenes"])
    if "expect" in scene
]
"""Scenes that end a deal, with the score that their sentences name."""


def score_differences(change: Mapping[str, Any] | None = None) -> Iterator[str]:
    for lesson, number, expectation in EXPECTED:
        outcome = outcome_of(None, (), _deal_end_of(lesson, number, change or {}))
        yield from find_differences(read_expectation(expectation), outcome)


def test_the_end_of_the_last_lesson_for_beginners_is_scored_as_it_says() -> None:
    assert EXPECTED
    assert [] == list(score_differences())


def _deal_end_of(lesson: Lesson, scene: int, change: Mapping[str, Any]) -> State:
    state = lesson.scenes[scene]
    state = replace(state, rules=replace(state.rules, **change))
    for step in lesson.steps:
        if step.scene == scene:
            acts = [step.wanted_button.request] if step.wanted_button else []
            for request in (*acts, *(act.request for act in step.then)):
                state = with_turn_begun(fold(state, try_action(state, request)))
    return state


@pytest.mark.parametrize("locale", sorted(locales()))
def test_every_sentence_that_lessons_name_is_in_every_language(locale: str) -> None:
    catalogue = words(locale)
    for lesson in LESSONS.values():
        keys = ["title", "goal", "close", "check", "check_wrong"]
        keys += [f"check_{number}" for number in range(1, lesson.choices + 1)]
        keys += [key for step in lesson.steps for key in (step.say, step.legal) if key]
        texts = [catalogue(f"lesson.{lesson.id}.{key}") for key in keys]
        assert max(map(len, texts)) <= 200
        assert 1 <= lesson.right <= lesson.choices
    assert all(f"reason.{code}" in catalogue for code in reasons_used(LESSONS))


def test_every_refusal_of_a_lesson_cites_a_paragraph_and_fits_its_page() -> None:
    catalogue = words()
    for lesson in LESSONS.values():
        for number, step in enumerate(lesson.steps, start=1):
            for button in step.buttons:
                if button.code is not None:
                    refusal = refusal_of(lesson, number, button)
                    assert paragraph_of(rule_set(lesson.rules, lesson.players), refusal)
                    assert len(explain_problem(catalogue, refusal)) <= 143


DAMAGES: Mapping[str, Any] = {
    "an unknown field": lambda data: data["lessons"][3].update(colour="blue"),
    "a missing field": lambda data: data["lessons"][3].pop("minutes"),
    "an unknown step field": lambda data: data["lessons"][3]["scenes"][0]["steps"][0].update(x=1),
    "two wanted buttons": lambda data: data["lessons"][0]["scenes"][0]["steps"][1]["buttons"][0].update(
        {"is": "wanted", "code": None}
    ),
    "a refused button without a code": lambda data: data["lessons"][0]["scenes"][0]["steps"][1]["buttons"][0].pop(
        "code"
    ),
    "a number out of order": lambda data: data["lessons"][5].update(number=9),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_refused_with_the_place(damage: str) -> None:
    data = copy.deepcopy(dict(DATA))
    read_lessons(data)
    DAMAGES[damage](data)
    with pytest.raises(PositionError, match="lessons"):
        read_lessons(data)


def test_a_changed_lesson_has_another_revision() -> None:
    data = copy.deepcopy(dict(DATA))
    data["lessons"][0]["minutes"] += 1
    revised = read_lessons(data)
    assert revised["seats"].revision != LESSONS["seats"].revision
    assert revised["meld"].revision == LESSONS["meld"].revision
    assert all(len(one.revision) == 4 for one in LESSONS.values())
