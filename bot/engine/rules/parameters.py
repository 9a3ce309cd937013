"""Parameters: every decision of the rules that a table can make for itself, as `RuleSet` declares it.

The names are those of `docs/law/variants.md A.1`. Each parameter has its words in `bot.i18n`: a title, an explanation,
and an explanation of each of its values.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from enum import StrEnum
from functools import reduce
from operator import or_
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from bot.engine.cards.cards import value
from bot.engine.rules.rule_set import RuleSet, of_all_deals
from bot.engine.rules.topics import MOST, Topic


@value
class Parameter:
    """One parameter: its type, what it is about, where the law speaks of it, and which numbers it may be.

    - `paragraph`: one of `docs/law/classic.md`, or of `docs/law/variants.md` where it begins with ``v``.
    - `lowest`, `highest`, `multiple`: bounds of a number, of each number of a row, and of the last entry of a table's
      rows.
    - `usual`: the numbers that are offered before all others.
    - `least`, `most`: how many numbers or rows there have to be.
    - `settled`: words of a list that hold whether they stand in it or not; they are told, and not offered.
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
    def shape(self) -> Shape:
        """What type of value the parameter has."""
        plain = without_none(self.hint)
        origin, inner = get_origin(plain), get_args(plain)
        if plain is bool:
            return Shape.FLAG
        if plain is int or by_deal(plain):
            return Shape.NUMBER
        if origin in (Literal, frozenset):
            return Shape.WORD if origin is Literal else Shape.WORDS
        return Shape.NUMBERS if inner[0] is int else Shape.TABLE

    @property
    def may_be_none(self) -> bool:
        """Whether the parameter may be None, which means that it does not apply."""
        return may_be_none(self.hint)

    @property
    def by_deal(self) -> bool:
        """Whether the parameter may be a list of numbers, one for each deal."""
        return by_deal(self.hint)

    @property
    def words(self) -> tuple[str, ...]:
        """The words that the parameter's values are made of."""
        return words_of(self.hint)

    @property
    def offered(self) -> tuple[str, ...]:
        """The words that decide anything, without the settled ones."""
        return tuple([word for word in self.words if word not in self.settled])

    def value_in(self, rules: RuleSet) -> Any:
        """Return the parameter's value in these rules, settled words included."""
        value = getattr(rules, self.name)
        return value | self.settled if self.settled else value


_HINTS: Final = get_type_hints(RuleSet)

PARAMETERS: Final = tuple(
    [Parameter(one.name, _HINTS[one.name], **one.metadata) for one in fields(RuleSet) if one.metadata]
)
"""Every parameter that can be changed, in the order in which they are told."""

FIXED: Final = {"name": "rules", "players": "players", "teams": "sides", "theme": "themes"}
"""Fields of `RuleSet` that are no parameters but chosen with the rule set, with the word for each in a case."""

BY_NAME: Final = {parameter.name: parameter for parameter in PARAMETERS}


def of_topic(topic: Topic) -> tuple[Parameter, ...]:
    """Return the parameters of a topic, in order. A topic may have none."""
    return tuple(parameter for parameter in PARAMETERS if parameter.topic is topic)


# --- types of values --------------------------------------------------------------------------------------------------


class Shape(StrEnum):
    """The types of values that parameters have; in brackets what each is in JSON."""

    FLAG = "flag"  # true or false (a boolean)
    NUMBER = "number"  # a whole number; some may be a list too, of one for each deal
    WORD = "word"  # one of some words (a string)
    WORDS = "words"  # any of some words (a list)
    NUMBERS = "numbers"  # a row of numbers (a list)
    TABLE = "table"  # rows, each a word or a number and what it stands for (a list of lists)


def may_be_none(hint: Any) -> bool:
    """Return whether a type hint allows None."""
    return get_origin(hint) in (Union, UnionType) and NoneType in get_args(hint)


def without_none(hint: Any) -> Any:
    """Return a type hint without its None."""
    return reduce(or_, [one for one in get_args(hint) if one is not NoneType]) if may_be_none(hint) else hint


def by_deal(hint: Any) -> bool:
    """Return whether a type hint is a number that may differ from deal to deal (`bot.engine.rules.rule_set.ByDeal`)."""
    if get_origin(hint) not in (Union, UnionType):
        return False
    return int in get_args(hint) and any(get_origin(one) is tuple for one in get_args(hint))


def words_of(hint: Any) -> tuple[str, ...]:
    """Return every word that a type hint allows, in the order in which it names them."""
    found = [hint] if isinstance(hint, str) else [word for one in get_args(hint) for word in words_of(one)]
    return tuple(dict.fromkeys(found))


COLUMNS: Final = 2
"""How many entries a row of a table has."""


# --- how far a table may go -------------------------------------------------------------------------------------------

MANY_WAYS: Final = frozenset({"seq", "deuce"})
"""The kinds of melds with which rules may take long to answer.

Where runs are melded, or twos as a rank, a hand has so many ways to be laid that each card more in it doubles the work;
games of those kinds are played with hands of fifteen. No law stands behind the limits for them; a table that asks for
more is told why.
"""

HIGHEST_MINIMUM: Final = 250
"""The largest minimum with such melds."""


@value
class TooMuch:
    """A parameter, its number that is too large, and the largest number that it may have."""

    parameter: str
    number: int
    most: int


def too_much(rules: RuleSet) -> Iterator[TooMuch]:
    """Yield the parameters whose numbers are too large; none where every meld is of one rank or of wild cards."""
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
        number = 0 if given is None else max(of_all_deals(given))
        if number > limit:
            yield TooMuch(name, number, limit)
    minimum = max([points for _, points in rules.open_table], default=0)
    if minimum > HIGHEST_MINIMUM:  # nobody opens then, and hands grow all deal long
        yield TooMuch("open_table", minimum, HIGHEST_MINIMUM)
