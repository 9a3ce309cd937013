"""Values: small records, and tuples, that nobody changes once they are made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

Record = TypeVar("Record")
Item = TypeVar("Item")


@dataclass_transform(frozen_default=True)
def value(cls: type[Record]) -> type[Record]:
    """A class decorator: a dataclass with slots, equality and a hash, whose fields nobody may assign.

    The type checker enforces that. At run time a frozen dataclass takes four times as long to make, and the engine
    makes some with every action.
    """
    return dataclass(slots=True, unsafe_hash=True)(cls)


def replaced(values: tuple[Item, ...], index: int, value: Item) -> tuple[Item, ...]:
    """The tuple with another value at that index."""
    changed = list(values)
    changed[index] = value
    return tuple(changed)
