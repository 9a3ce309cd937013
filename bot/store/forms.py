"""Forms: how a value is written as data for JSON, and read back, field by field under names of our own.

Names are written out here and not taken from the code, so that renaming a class or an attribute never touches what
is stored. Reading is strict: a name that is not known, a field too many or too few, a value of the wrong sort raise
`Undecodable`, whose text says where but never what.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, NoReturn

from bot.engine.cards.cards import (
    ACE,
    BLACK_THREE,
    FOUR,
    JOKER,
    RANK_LETTERS,
    RED_THREE,
    SUIT_LETTERS,
    TWO,
    Card,
    full_pack,
)
from bot.engine.cards.notation import card_text
from bot.engine.cards.places import FAMILIES, MOST_OF_A_FAMILY, run_of
from bot.store.errors import Undecodable


@dataclass(frozen=True, slots=True)
class Field:
    """One value: to data, and back."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Form:
    """The stored name of a type, and its attributes with how each is written; an attribute's name is stored.

    What earlier releases stored is read as well: `younger` says what an attribute is where it was not stored yet,
    `earlier` under which name one was stored before.
    """

    name: str
    type: Callable[..., Any]
    fields: Mapping[str, Field]
    younger: Mapping[str, Any] = field(default_factory=dict)
    earlier: Mapping[str, str] = field(default_factory=dict)

    def write(self, value: object) -> dict[str, Any]:
        """The value's fields as data."""
        return {name: field.write(getattr(value, name)) for name, field in self.fields.items()}

    def read(self, data: object, beside: int = 0) -> Any:
        """The value of its fields; `beside` them the data holds that many others."""
        if not isinstance(data, dict):
            wrong(self.name, "fields")
        values: dict[str, Any] = {}
        read = 0
        for name, one in self.fields.items():
            stored = name if name in data else self.earlier.get(name, name)
            if stored in data:
                values[name] = one.read(data[stored])
                read += 1
            elif name in self.younger:
                values[name] = self.younger[name]
            else:
                raise Undecodable(f"{self.name}: no field {name!r}")
        if len(data) != read + beside:
            wrong(self.name, "fields")
        return self.type(**values)


class Forms:
    """Forms that may stand in one place; the one that does is named under `tag`.

    Raises `ValueError` where reading could not tell what was written: for a field named as the tag is, and for two
    forms of one name or type.
    """

    def __init__(self, tag: str, forms: Iterable[Form]) -> None:
        self.forms: Final = tuple(forms)
        self._tag = tag
        self._by_type: Final = {form.type: form for form in self.forms}
        self._by_name: Final = {form.name: form for form in self.forms}
        if not len(self._by_type) == len(self._by_name) == len(self.forms):
            raise ValueError(f"{tag}: two forms of one name or type")
        for form in self.forms:
            if tag in form.fields or tag in form.earlier.values():
                raise ValueError(f"{tag} {form.name}: a field of the tag's own name would overwrite the form's")

    def write(self, value: object) -> dict[str, Any]:
        """The value as data, with the name of its form."""
        form = self._by_type[type(value)]
        return {self._tag: form.name, **form.write(value)}

    def read(self, data: object) -> Any:
        """The value back."""
        name = data.get(self._tag) if isinstance(data, dict) else None
        form = self._by_name.get(name) if isinstance(name, str) else None
        if form is None:
            raise Undecodable(f"no {self._tag} of that name is known: {_shown(name)}")
        return form.read(data, beside=1)


def wrong(where: str, what: str) -> NoReturn:
    """Say that something is not as it should be."""
    raise Undecodable(f"{where}: wrong {what}")


def _shown(name: object) -> str:
    """A name that may be told: short, of small letters alone, so that no stored data (a card as ``Ks``) leaks out."""
    plain = isinstance(name, str) and len(name) <= 40 and name.islower() and name.replace("_", "").isalpha()
    return str(name) if plain else "(not a name)"


# --- plain values ----------------------------------------------------------------------------------------------------


def _same(value: Any) -> Any:
    return value


def _exactly(kind: type, name: str) -> Field:
    def read(data: object) -> object:
        return data if type(data) is kind else wrong(name, "value")

    return Field(_same, read)


NUMBER: Final = _exactly(int, "number")
FLAG: Final = _exactly(bool, "flag")
TEXT: Final = _exactly(str, "text")


def optional(field: Field) -> Field:
    """A value written as that field says, or null for None."""
    return Field(
        lambda value: None if value is None else field.write(value),
        lambda data: None if data is None else field.read(data),
    )


def several(field: Field) -> Field:
    """A tuple of the same."""
    return Field(
        lambda values: [field.write(value) for value in values],
        lambda data: tuple([field.read(one) for one in _listed(data)]),
    )


def members(field: Field) -> Field:
    """A set of the same, written in order."""
    return Field(
        lambda values: [field.write(value) for value in sorted(values)],
        lambda data: frozenset([field.read(one) for one in _listed(data)]),
    )


def one_of(kind: type[StrEnum]) -> Field:
    """A member of an enumeration, by its value."""
    by_value = {member.value: member for member in kind}
    return Field(lambda member: member.value, lambda data: _found(by_value, data, kind.__name__))


def whole(form: Form) -> Field:
    """A value of that form."""
    return Field(form.write, form.read)


def _listed(data: object) -> list[Any]:
    return data if isinstance(data, list) else wrong("list", "value")


def _found(names: Mapping[str, Any], data: object, what: str) -> Any:
    found = names.get(data) if isinstance(data, str) else None
    return wrong(what, "name") if found is None else found


# --- cards -----------------------------------------------------------------------------------------------------------

_TEXTS: Final = {card: card_text(card) for card in full_pack(1, 1)}
_CARDS: Final = {text: card for card, text in _TEXTS.items()}

KIND_NAMES: Final = {
    **{kind: RANK_LETTERS[kind] for kind in range(FOUR, ACE + 1)},
    BLACK_THREE: "B3",
    TWO: "2",
    JOKER: "JK",
    RED_THREE: "R3",
}
_KINDS: Final = {name: kind for kind, name in KIND_NAMES.items()}

_FAMILY_NAMES: Final = {**KIND_NAMES, **{run_of(suit): f"run-{letter}" for suit, letter in enumerate(SUIT_LETTERS)}}
_PLACE_NAMES: Final = {
    family + FAMILIES * number: f"{name}#{number + 1}" if number else name
    for family, name in _FAMILY_NAMES.items()
    for number in range(MOST_OF_A_FAMILY)
}
_PLACES: Final = {name: place for place, name in _PLACE_NAMES.items()}


def _write_cards(cards: Iterable[Card]) -> str:
    return "".join([_TEXTS[card] for card in cards])


def _read_cards(data: object) -> tuple[Card, ...]:
    if not isinstance(data, str) or len(data) % 2:
        wrong("cards", "value")
    try:
        return tuple([_CARDS[data[start : start + 2]] for start in range(0, len(data), 2)])
    except KeyError:
        raise Undecodable("cards: wrong name") from None


CARD: Final = Field(_TEXTS.__getitem__, lambda data: _found(_CARDS, data, "card"))
"""A card as two characters, ``7s`` or ``JK`` (`bot.engine.cards.notation`)."""

CARDS: Final = Field(_write_cards, _read_cards)
"""Cards in order, two characters each, nothing between them."""

PLACE: Final = Field(lambda place: _PLACE_NAMES[place], lambda data: _found(_PLACES, data, "place"))
"""A place of a meld: a kind, or ``run-s`` … ``run-c``; further ones of a family with their number, ``7#2``."""

KIND: Final = Field(KIND_NAMES.__getitem__, lambda data: _found(_KINDS, data, "kind"))
"""A kind: ``4`` … ``A``, ``B3`` (black three), ``2``, ``JK``, ``R3`` (red three)."""
