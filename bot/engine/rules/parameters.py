"""Parameters: every decision of the rules that a table can change, as `RuleSet` declares it.

The names are those of `docs/law/variants.md A.1`. Texts for each parameter are in `bot.i18n`: a title, an explanation,
and an explanation of each value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from enum import StrEnum
from functools import reduce
from operator import or_
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from bot.engine.cards.cards import value_class
from bot.engine.rules.parameter_declarations import MOST, Topic
from bot.engine.rules.rule_set import RuleSet, numbers_of_all_deals


@value_class
class Parameter:
    """A parameter: its type, topic, paragraph in the rules, and possible numbers.

    - `paragraph`: one of `docs/law/classic.md`, or of `docs/law/variants.md` if it begins with ``v``.
    - `lowest`, `highest`, `multiple`: bounds of a number, of each number of a row, and of the last entry of a table's
      rows.
    - `usual`: the numbers to offer first.
    - `least`, `most`: bounds for the number of numbers or rows.
    - `settled`: words of a list that always hold, listed or not; they are shown but not offered.
    """

    name: str
    hint: Any
    topic: Topic
    paragraph: str
    lowest: int = 0
    highest: int = MOST
    multiple: int = 1
    usual: tuple[int, ...] = ()
    least: int = 1
    most: int = 12
    settled: frozenset[str] = frozenset()

    @property
    def shape(self) -> ValueType:
        """The type of the parameter's values."""
        plain = without_none(self.hint)
        origin, inner = get_origin(plain), get_args(plain)
        if plain is bool:
            return ValueType.FLAG
        if plain is int or may_differ_by_deal(plain):
            return ValueType.NUMBER
        if origin in (Literal, frozenset):
            return ValueType.WORD if origin is Literal else ValueType.WORDS
        return ValueType.NUMBERS if inner[0] is int else ValueType.TABLE

    @property
    def may_be_none(self) -> bool:
        """Whether the parameter may be None, which switches it off."""
        return may_be_none(self.hint)

    @property
    def may_differ_by_deal(self) -> bool:
        """Whether the parameter may be a list of numbers, one for each deal."""
        return may_differ_by_deal(self.hint)

    @property
    def words(self) -> tuple[str, ...]:
        """The words that can occur in the parameter's values."""
        return words_of(self.hint)

    @property
    def offered_words(self) -> tuple[str, ...]:
        """The words that a table can choose, without the settled ones."""
        return tuple([word for word in self.words if word not in self.settled])

    def value_in(self, rules: RuleSet) -> Any:
        """Return the parameter's value in these rules, settled words included."""
        value = getattr(rules, self.name)
        return value | self.settled if self.settled else value


_HINTS: Final = get_type_hints(RuleSet)

PARAMETERS: Final = tuple(
    [Parameter(one.name, _HINTS[one.name], **one.metadata) for one in fields(RuleSet) if one.metadata]
)
"""Every parameter that can be changed, in the order of display."""

FIXED: Final = {"name": "rules", "players": "players", "teams": "sides", "theme": "themes"}
"""Fields of `RuleSet` that are chosen with the rule set, with the name of each in a case."""

BY_NAME: Final = {parameter.name: parameter for parameter in PARAMETERS}


def parameters_of_topic(topic: Topic) -> tuple[Parameter, ...]:
    """Return the parameters of a topic, in order. A topic may have none."""
    return tuple(parameter for parameter in PARAMETERS if parameter.topic is topic)


# --- types of values --------------------------------------------------------------------------------------------------


class ValueType(StrEnum):
    """The types of parameter values; the comments name their JSON types in brackets."""

    FLAG = "flag"  # true or false (a boolean)
    NUMBER = "number"  # a whole number; some may be a list too, of one for each deal
    WORD = "word"  # one of the allowed words (a string)
    WORDS = "words"  # any of the allowed words (a list)
    NUMBERS = "numbers"  # a row of numbers (a list)
    TABLE = "table"  # rows of a word or a number and its value (a list of lists)


def may_be_none(hint: Any) -> bool:
    """Return whether a type hint allows None."""
    return get_origin(hint) in (Union, UnionType) and NoneType in get_args(hint)


def without_none(hint: Any) -> Any:
    """Return a type hint without its None."""
    return reduce(or_, [one for one in get_args(hint) if one is not NoneType]) if may_be_none(hint) else hint


def may_differ_by_deal(hint: Any) -> bool:
    """Return whether a type hint is a number that may differ by deal (`rule_set.ByDeal`)."""
    if get_origin(hint) not in (Union, UnionType):
        return False
    return int in get_args(hint) and any(get_origin(one) is tuple for one in get_args(hint))


def words_of(hint: Any) -> tuple[str, ...]:
    """Return every word that a type hint allows, in the order in which it names them."""
    found = [hint] if isinstance(hint, str) else [word for one in get_args(hint) for word in words_of(one)]
    return tuple(dict.fromkeys(found))


COLUMNS: Final = 2
"""The number of entries in a row of a table."""


# --- limits that keep the rules fast enough ---------------------------------------------------------------------------

MANY_WAYS: Final = frozenset({"seq", "deuce"})
"""The kinds of melds that can make the rules slow.

With runs, or twos as a rank, the number of ways to meld a hand doubles with each further card; real games of those
kinds use hands of fifteen. The limits below have no source in the rules; a table that asks for more is refused with the
reason.
"""

HIGHEST_MINIMUM: Final = 250
"""The largest minimum with such melds."""


@value_class
class ExcessiveNumber:
    """A parameter whose number is too large, with that number and the largest one allowed."""

    parameter: str
    number: int
    most: int


def excessive_parameters(rules: RuleSet) -> Iterator[ExcessiveNumber]:
    """Yield the parameters that are too large for rules with runs or twos as a rank, with their limits."""
    if not rules.meld_kinds & MANY_WAYS:
        return
    most = {
        "decks": max(4, rules.players + 1),
        "hand_size": 20,
        "foot_size": 20,
        "draw": 3,
        "meld_max": 20,
    }
    for name, limit in most.items():
        given = getattr(rules, name)
        number = 0 if given is None else max(numbers_of_all_deals(given))
        if number > limit:
            yield ExcessiveNumber(name, number, limit)
    minimum = max([points for _, points in rules.open_table], default=0)
    if minimum > HIGHEST_MINIMUM:  # no side could open, and hands would grow all deal long
        yield ExcessiveNumber("open_table", minimum, HIGHEST_MINIMUM)
