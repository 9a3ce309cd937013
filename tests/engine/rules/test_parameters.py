"""The catalogue of parameters: complete for `RuleSet`, explained in words, readable from JSON."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from bot.engine.law.rule_conflicts import numbers_to_hold_within_bounds
from bot.engine.rules.case_fields import PositionError
from bot.engine.rules.parameter_declarations import Topic
from bot.engine.rules.parameters import BY_NAME, FIXED, PARAMETERS, Parameter, ValueType, parameters_of_topic, words_of
from bot.engine.rules.rule_options import read_value, with_options, write_value
from bot.engine.rules.rule_set import RuleSet, number_in_deal
from bot.engine.rules.seating import Teams
from bot.engine.rules.sets import RULE_SETS, rule_set
from bot.i18n import Words, locales, words

FORMS = [rules for forms in RULE_SETS.values() for rules in forms.values()]
LONGEST_LABEL = 45
LONGEST_VALUE = 100
"""The most characters that Discord allows for a text field's label, and for a menu's entry and its description."""


def test_every_field_of_a_rule_set_is_a_parameter_once_and_none_is_left_over() -> None:
    declared = {one.name for one in fields(RuleSet) if one.init} - set(FIXED)
    assert declared == set(BY_NAME)
    assert len(PARAMETERS) == len(BY_NAME)
    assert list(PARAMETERS) == sorted(PARAMETERS, key=lambda one: list(Topic).index(one.topic))
    assert list(PARAMETERS) == [one for topic in Topic for one in parameters_of_topic(topic)]


def test_every_value_of_every_rule_set_is_allowed_by_its_parameter() -> None:
    for parameter in PARAMETERS:
        for rules in FORMS:
            value = getattr(rules, parameter.name)
            assert value == read_value(parameter, write_value(value), parameter.name), parameter.name
            for number in numbers_to_hold_within_bounds(value):
                assert not number % parameter.multiple, parameter.name


def test_exactly_the_parameters_of_one_number_suggest_usual_values() -> None:
    for parameter in PARAMETERS:
        assert (parameter.shape is ValueType.NUMBER) == bool(parameter.usual), parameter.name
        for number in parameter.usual:
            assert number == read_value(parameter, number, parameter.name), parameter.name
            assert not number % parameter.multiple, parameter.name


@pytest.mark.parametrize("locale", locales())
def test_every_parameter_and_every_value_is_explained(locale: str) -> None:
    for parameter in PARAMETERS:
        check_words_of(parameter, words(locale))


def check_words_of(parameter: Parameter, words: Words) -> None:
    """Check that a language names and explains a parameter and each of its values, nothing else."""
    typed = parameter.shape in (ValueType.NUMBER, ValueType.NUMBERS, ValueType.TABLE)
    assert len(words(f"parameter.{parameter.name}.title")) <= (LONGEST_LABEL if typed else LONGEST_VALUE)
    values = ("yes", "no") if parameter.shape is ValueType.FLAG else parameter.words
    assert all(len(words(f"parameter_value.{value}")) <= LONGEST_VALUE for value in values)
    explained = {key for key in words.entries if key.startswith(f"parameter.{parameter.name}.")}
    assert {f"parameter.{parameter.name}.{one}" for one in ("title", "about", *values)} == explained
    assert all(words(key) for key in explained)


@pytest.mark.parametrize("locale", locales())
def test_every_seating_has_a_name(locale: str) -> None:
    said = words(locale)
    assert all(f"parameter_value.{teams}" in said for teams in words_of(Teams))


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"unheard": 1}, "options.unheard"),
        ({"players": 3}, "options.players"),
        ({"decks": 0}, "options.decks"),
        ({"decks": 13}, "options.decks"),
        ({"decks": True}, "options.decks"),
        ({"decks": None}, "options.decks"),
        ({"meld_max": 2}, "options.meld_max"),
        ({"one_card_guard": "yes"}, "options.one_card_guard"),
        ({"wild_ratio": "many"}, "options.wild_ratio"),
        ({"take_open": ["pair", "force"]}, "options.take_open.1"),
        ({"take_open": "pair"}, "options.take_open"),
        ({"red3_values": []}, "options.red3_values"),
        ({"red3_values": [100, "x"]}, "options.red3_values.1"),
        ({"hand_size": []}, "options.hand_size"),
        ({"hand_size": [13, 0]}, "options.hand_size.1"),
        ({"draw": [1] * 13}, "options.draw"),
        ({"draw": "1, 2"}, "options.draw"),
        ({"draw_with_pile": [1, 2]}, "options.draw_with_pile"),
        ({"open_table": []}, "options.open_table"),
        ({"open_table": [[0]]}, "options.open_table.0"),
        ({"open_table": [[0, 50], ["neg", 15]]}, "options.open_table.1.0"),
        ({"open_table": [[0, 50], [0, 90]]}, "options.open_table.1.0"),
        ({"open_table": [["pos", 50]]}, "options.open_table.0.0"),
        ({"open_table": [[0, -5]]}, "options.open_table.0.1"),
    ],
)
def test_an_impossible_value_of_a_parameter_is_refused_with_its_path(options: dict[str, Any], field: str) -> None:
    with pytest.raises(PositionError) as refused:
        with_options(rule_set("classic", 4), options)
    assert field == refused.value.field


@pytest.mark.parametrize(
    ("given", "read"),
    [([3, 3, 4, 5], (3, 3, 4, 5)), ([2, 3, 3, 3], (2, 3)), ([2, 2], 2), ([4], 4), ((1, 2), (1, 2))],
)
def test_the_last_number_of_a_list_holds_for_all_later_deals(given: Any, read: Any) -> None:
    for name in ("hand_size", "draw"):
        assert BY_NAME[name].may_differ_by_deal
        assert read == getattr(with_options(rule_set("classic", 4), {name: given}), name)
    assert [given[0], given[-1], given[-1]] == [number_in_deal(read, deal) for deal in (1, len(given), 99)]


def test_an_optional_parameter_may_be_none() -> None:
    limited = with_options(rule_set("classic", 4), {"meld_max": 7, "rounds": 3})
    assert (7, 3) == (limited.meld_max, limited.rounds)
    assert rule_set("classic", 4) == with_options(limited, {"meld_max": None, "rounds": None})
