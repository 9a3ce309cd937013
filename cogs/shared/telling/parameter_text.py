"""The parameters of a rule set in words, one line each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from bot.engine.rules.parameters import BY_NAME, PARAMETERS
from bot.engine.rules.rule_set import ByDeal, RuleSet
from bot.engine.rules.sets import RULE_SETS
from bot.i18n import Words, theme_words
from cogs.shared.telling import numbers as number_text

_LISTED: Final = ("teams", *(parameter.name for parameter in PARAMETERS if parameter.name != "target"))
"""Parameters listed as differences; the others are in the title and first sentence of the rules."""

_OF_TEAMS: Final = "2"
"""The chapter on partnerships."""


def differences_from_classic(words: Words, rules: RuleSet) -> list[str]:
    """Return lines on the parameters that differ from the classic rules for as many players.

    If there are no such classic rules, those for four players are used.
    """
    classic = RULE_SETS["classic"].get(rules.players, RULE_SETS["classic"][4])
    return [
        words(
            "rules_text.difference",
            told=parameter_in_words(words, rules, name),
            classic=value_in_rules(words, classic, name),
            paragraph=BY_NAME[name].paragraph if name in BY_NAME else _OF_TEAMS,
        )
        for name in _LISTED
        if _parameter_value(rules, name) != _parameter_value(classic, name) and not _has_no_effect(rules, name)
    ]


def _has_no_effect(rules: RuleSet, name: str) -> bool:
    """Return whether a parameter has no effect in these rules.

    Red threes' points, for example, have none if red threes stay in hand.
    """
    return rules.red3_role == "penalty" and name in ("red3_values", "red3_sign")


def describe_rule_changes(words: Words, rules: RuleSet, base: RuleSet) -> list[str]:
    """Return a line for each parameter in which `rules` differs from `base`.

    If they are different games, return one line with the names of both.
    """
    if (rules.name, rules.players) != (base.name, base.players):
        return [_changed_game_text(words, rules, base)]
    texts = [
        words(
            "rules_text.change",
            told=parameter_in_words(words, rules, parameter.name),
            was=value_in_rules(words, base, parameter.name),
        )
        for parameter in PARAMETERS
        if parameter.value_in(rules) != parameter.value_in(base)
    ]
    return texts + _theme_change_texts(words, rules, base)


def _changed_game_text(words: Words, rules: RuleSet, base: RuleSet) -> str:
    now, was = (
        words("rules_text.game", rules=words(f"rules.{one.name}"), players=one.players) for one in (rules, base)
    )
    return words("rules_text.other_game", game=now, was=was)


def _theme_change_texts(words: Words, rules: RuleSet, base: RuleSet) -> list[str]:
    """Return a line on the present and the previous themes if they differ, without their tasks."""
    if rules.theme == base.theme:
        return []
    now, was = (
        ", ".join(theme_words.theme_title(words, theme.name) for theme in one.theme) or words("parameter_value.nothing")
        for one in (rules, base)
    )
    return (
        [words("rules_text.themes_changed", themes=now, was=was)] if now != was else [words("rules_text.own_changed")]
    )


def parameter_in_words(words: Words, rules: RuleSet, name: str) -> str:
    """Return a parameter's name and its value as text."""
    return words("rules_text.parameter", title=parameter_title(words, name), value=value_in_rules(words, rules, name))


def parameter_title(words: Words, name: str) -> str:
    """Return a parameter's name as players read it."""
    return words(f"parameter.{name}.title")


def value_in_rules(words: Words, rules: RuleSet, name: str) -> str:
    """Return the parameter's value in these rules as text."""
    if name == "open_table":
        return initial_minimums_text(words, rules.open_table, by=rules.open_by)
    value = _parameter_value(rules, name)
    if name in BY_NAME and BY_NAME[name].may_differ_by_deal and isinstance(value, tuple):
        return numbers_by_deal_text(words, value)
    if isinstance(value, frozenset) and value:
        return ", ".join(value_word(words, name, one) for one in BY_NAME[name].words if one in value)
    if isinstance(value, tuple) and value and isinstance(value[0], tuple):
        return _item_values_text(words, name, value)
    return value_word(words, name, value) if isinstance(value, str) else value_text(words, value)


def _parameter_value(rules: RuleSet, name: str) -> Any:
    return BY_NAME[name].value_in(rules) if name in BY_NAME else getattr(rules, name)


def values_of_number_sentence(words: Words, numbers: ByDeal) -> dict[str, int | str]:
    """Return the values that a sentence needs for a number.

    They are the number and its word or, if it changes from deal to deal, its values by deal.
    """
    if isinstance(numbers, int):
        return {"count": numbers, "number": number_text.number_in_words(words, numbers)}
    return {"count": max(numbers), "number": f"({numbers_by_deal_text(words, numbers)})"}


def numbers_by_deal_text(words: Words, numbers: Sequence[int]) -> str:
    """Return the numbers that apply in one deal after another as text; the last one repeats."""
    first = ", ".join(map(str, numbers[:-1]))
    return words("parameter_value.by_deal", numbers=first, last=numbers[-1], count=len(numbers) - 1)


def value_word(words: Words, name: str, value: str) -> str:
    """Return the word for a value of this parameter; another parameter may use another word for it."""
    own = f"parameter_value.{name}_{value}"
    return words(own if own in words else f"parameter_value.{value}")


def value_text(words: Words, value: object) -> str:
    """Return a parameter's value in words, for any type of value."""
    match value:
        case bool():
            return words("parameter_value.yes" if value else "parameter_value.no")
        case int():
            return str(value)
        case str():
            return words(f"parameter_value.{value}")
        case tuple() if value:
            return ", ".join(str(one) for one in value)
        case _:
            return words("parameter_value.nothing")


def _item_values_text(words: Words, name: str, pairs: Sequence[tuple[str, int]]) -> str:
    """Return text on how many points each item counts; one number if it is the same for all."""
    if len(pairs) == 1 and pairs[0][0] == "any":
        return str(pairs[0][1])
    names = {"any": "any_other"}
    return ", ".join(f"{value_word(words, name, names.get(what, what))}: {points}" for what, points in pairs)


def initial_minimums_text(words: Words, rows: Sequence[tuple[int | None, int]], *, by: str = "score") -> str:
    """Return text on the minimum of the initial meld by score or by deal."""
    row = "rules_text.opening_row_deal" if by == "round" else "rules_text.opening_row"
    below_zero = len(rows) > 1 and rows[1][0] == 0
    told = []
    for start, minimum in rows:
        if start is not None:
            told.append(words(row, minimum=minimum, start=start))
        else:
            key = "rules_text.opening_row_first" if below_zero else "rules_text.opening_row_always"
            told.append(words(key, minimum=minimum))
    return ", ".join(told)
