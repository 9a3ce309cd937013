"""Shapes of parameters: what a parameter may be, as its type in `RuleSet` says."""

from __future__ import annotations

from enum import StrEnum
from functools import cache, reduce
from operator import or_
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from bot.engine.rules import RuleSet


class Shape(StrEnum):
    """How a parameter's value is made up; in brackets what it is in JSON."""

    FLAG = "flag"  # true or false (a boolean)
    NUMBER = "number"  # a whole number; some may be a list too, of one for each deal
    WORD = "word"  # one of some words (a string)
    WORDS = "words"  # any of some words (a list)
    NUMBERS = "numbers"  # a row of numbers (a list)
    TABLE = "table"  # rows, each a word or a number and what it stands for (a list of lists)


@cache
def hints() -> dict[str, Any]:
    """The type of each parameter."""
    return get_type_hints(RuleSet)


def may_be_none(hint: Any) -> bool:
    """Whether a type allows None."""
    return get_origin(hint) in (Union, UnionType) and NoneType in get_args(hint)


def without_none(hint: Any) -> Any:
    """A type without its None."""
    return reduce(or_, [one for one in get_args(hint) if one is not NoneType]) if may_be_none(hint) else hint


def by_deal(hint: Any) -> bool:
    """Whether a type is a number that may differ from deal to deal (`bot.engine.rules.ByDeal`)."""
    if get_origin(hint) not in (Union, UnionType):
        return False
    return int in get_args(hint) and any(get_origin(one) is tuple for one in get_args(hint))


def shape_of(hint: Any) -> Shape:
    """The shape that a type has. Raises `TypeError` for a type that no parameter can have."""
    plain = without_none(hint)
    if by_deal(plain):
        return Shape.NUMBER
    origin, inner = get_origin(plain), get_args(plain)
    if plain in (bool, int):
        return Shape.FLAG if plain is bool else Shape.NUMBER
    if origin in (Literal, frozenset):
        return Shape.WORD if origin is Literal else Shape.WORDS
    if origin is tuple and len(inner) == 2 and inner[1] is Ellipsis:
        if inner[0] is int:
            return Shape.NUMBERS
        if get_origin(inner[0]) is tuple:
            return Shape.TABLE
    raise TypeError(f"no parameter can be a {hint}")


def words_of(hint: Any) -> tuple[str, ...]:
    """Every word that a type allows, in the order in which it names them."""
    found = [hint] if isinstance(hint, str) else [word for one in get_args(hint) for word in words_of(one)]
    return tuple(dict.fromkeys(found))


COLUMNS: Final = 2
"""Entries in a row of a table."""
