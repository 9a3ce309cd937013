"""Forms: how values of a type are written as data for JSON, and read back strictly.

A form follows from a type's annotations. A dataclass is an object under the names of its fields; a field at its default
is left out. Types whose form does not follow from annotations, such as cards and persons, are entries of a type table.
Reading raises `UndecodableData` for an unknown field, a missing one without a default, and an inexact type. The text
names the place and never quotes stored data.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import StrEnum
from functools import reduce
from operator import or_
from types import NoneType, UnionType
from typing import Any, Final, Literal, NoReturn, Union, get_args, get_origin, get_type_hints

from bot.store.errors import UndecodableData


@dataclass(frozen=True, slots=True)
class Field:
    """The stored form of one type: a function that writes a value as data, and one that reads it back.

    `text` describes the data for `tests/data/stored_forms.json`.
    """

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]
    text: str


@dataclass(frozen=True, slots=True)
class Form(Field):
    """The stored form of a dataclass, an object: the form of each field, and the defaults of fields."""

    type: Callable[..., Any]
    fields: Mapping[str, Field]
    defaults: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TaggedForms(Field):
    """The stored forms of several dataclasses of which one may occur; each has its class name under a tag."""

    forms: Mapping[str, Form]


class TypeTable:
    """A table of types with their stored forms.

    `entries` are the types whose form is written by hand. With `complete`, fields at their defaults are written too.
    """

    def __init__(self, entries: Mapping[Any, Field], *, complete: bool = False) -> None:
        self.fields: Final = {**_PLAIN_FORMS, **entries}
        self._complete = complete

    def derive_form(self, kind: Any, *, without: Iterable[str] = ()) -> Field:
        """Return the stored form that follows from a type's annotations.

        `without` names fields of a dataclass that are not stored. Raises `TypeError` for a type that has no form.
        """
        if kind not in self.fields:
            self.fields[kind] = (
                self._dataclass_form(kind, frozenset(without)) if is_dataclass(kind) else self._form_of_type(kind)
            )
        return self.fields[kind]

    def tagged_forms(self, tag: str, kinds: Any) -> TaggedForms:
        """Return the stored form of a union of dataclasses; under `tag` it has the class name in snake case.

        Raises `ValueError` if two of them have one name, or a field has the tag's name.
        """
        forms: dict[str, Form] = {}
        for kind in get_args(kinds):
            name, form = _snake_case(kind.__name__), self._dataclass_form(kind, frozenset())
            if name in forms or tag in form.fields:
                raise ValueError(f"{tag} {name}: a second form of that name, or a field of the tag's name")
            self.fields[kind] = forms[name] = form
        self.fields[kinds] = found = _tagged_form(tag, forms)
        return found

    def _form_of_type(self, kind: Any) -> Field:
        """Return the stored form of a type: an entry, or derived from its annotations."""
        origin, arguments = get_origin(kind), get_args(kind)
        if isinstance(kind, type) and issubclass(kind, StrEnum):
            return enum_of(kind)
        if origin is Literal:
            return one_of_words(arguments)
        if origin is tuple and arguments[1:] == (...,):
            return tuple_of(self.derive_form(arguments[0]))
        if origin is tuple:
            return fixed_tuple_of([self.derive_form(one) for one in arguments])
        if origin is frozenset:
            return set_of(self.derive_form(arguments[0]))
        if origin is Mapping and issubclass(arguments[0], str):
            return mapping_of(*[self.derive_form(one) for one in arguments])
        if origin in (Union, UnionType):
            return self._form_of_union(
                [one for one in arguments if one is not NoneType], optional=NoneType in arguments
            )
        raise TypeError(f"no form follows from {kind}")

    def _form_of_union(self, kinds: list[Any], *, optional: bool) -> Field:
        """Return the stored form of a union of types; `optional` if None is one of them."""
        if len(kinds) == 1:
            found = self.derive_form(kinds[0])
        else:
            found = self.fields.get(reduce(or_, kinds)) or self._form_of_untagged_union(kinds)
        return optional_of(found) if optional else found

    def _form_of_untagged_union(self, kinds: list[Any]) -> Field:
        """Return the stored form of a union of types that differ in JSON: a number, a text, a tuple and so on."""
        by_type = {get_origin(kind) or kind: self.derive_form(kind) for kind in kinds}
        by_data = {list if kind is tuple else kind: field for kind, field in by_type.items()}
        if len(by_type) < len(kinds) or not by_data.keys() <= {int, str, list}:
            raise TypeError(f"{kinds} cannot be told apart in JSON")

        def read_union(data: object) -> Any:
            field = by_data.get(type(data))
            return raise_undecodable("wrong type") if field is None else field.read(data)

        return Field(
            lambda value: by_type[type(value)].write(value),
            read_union,
            " or ".join(field.text for field in by_type.values()),
        )

    def _dataclass_form(self, kind: Any, without: frozenset[str]) -> Form:
        """Return the stored form of a dataclass."""
        hints = get_type_hints(kind, localns=self._types_missing_in(kind.__module__), include_extras=True)
        stored = [one for one in fields(kind) if one.init and one.name not in without]
        parts = {one.name: self.derive_form(hints[one.name]) for one in stored}
        factories = {one.name: one.default_factory for one in stored if one.default_factory is not MISSING}
        defaults = {one.name: one.default for one in stored if one.default is not MISSING}
        defaults |= {name: make() for name, make in factories.items()}
        left_out = {} if self._complete else defaults
        return Form(
            _object_writer(parts, left_out), _object_reader(kind, parts, defaults), kind.__name__, kind, parts, defaults
        )

    def _types_missing_in(self, module: str) -> Mapping[str, type]:
        """Return, by name, the types of this table that a module imports only under `TYPE_CHECKING`."""
        known = vars(sys.modules[module])
        return {one.__name__: one for one in self.fields if isinstance(one, type) and one.__name__ not in known}


def raise_undecodable(problem: str) -> NoReturn:
    """Raise `UndecodableData` with that text, which must not quote stored data."""
    raise UndecodableData(problem)


# --- dataclasses -----------------------------------------------------------------------------------------------------


def _object_writer(parts: Mapping[str, Field], left_out: Mapping[str, Any]) -> Callable[[Any], dict[str, Any]]:
    """Return a function that writes a dataclass as an object.

    It is made once for each type, because tables are written after every action.
    """
    steps = [
        (name, None if field.write is _keep_value else field.write, left_out.get(name, MISSING))
        for name, field in parts.items()
    ]

    def write_object(value: object) -> dict[str, Any]:
        written = {}
        for name, convert, default in steps:
            found = getattr(value, name)
            if found is not default and found != default:
                written[name] = found if convert is None else convert(found)
        return written

    return write_object


def _object_reader(kind: Any, parts: Mapping[str, Field], defaults: Mapping[str, Any]) -> Callable[[Any], Any]:
    """Return a function that reads an object as a dataclass."""
    readers = {name: field.read for name, field in parts.items()}
    required = readers.keys() - defaults.keys()
    place = kind.__name__

    def read_object(data: object) -> Any:
        if type(data) is not dict:
            raise_undecodable(f"{place}: not an object")
        values = {}
        for name, stored in data.items():
            convert = readers.get(name)
            if convert is None:
                raise_undecodable(f"{place}: unknown field")
            try:
                values[name] = convert(stored)
            except UndecodableData as fault:
                raise UndecodableData(f"{place}.{name}: {fault}") from None
        if not required <= values.keys():
            missing = sorted(required - values.keys())
            raise_undecodable(f"{place}.{missing[0]}: missing")
        return kind(**values)

    return read_object


def _tagged_form(tag: str, forms: Mapping[str, Form]) -> TaggedForms:
    """Return the stored form of a union of dataclasses, whose objects have the class name under `tag`."""
    names = {form.type: name for name, form in forms.items()}
    writers = {form.type: form.write for form in forms.values()}
    readers = {name: form.read for name, form in forms.items()}

    def write_tagged_object(value: object) -> dict[str, Any]:
        kind = type(value)
        return {tag: names[kind], **writers[kind](value)}

    def read_tagged_object(data: object) -> Any:
        if type(data) is not dict:
            raise_undecodable(f"{tag}: not an object")
        rest = data.copy()
        name = rest.pop(tag, None)
        convert = readers.get(name) if type(name) is str else None
        return raise_undecodable(f"{tag}: unknown name") if convert is None else convert(rest)

    return TaggedForms(write_tagged_object, read_tagged_object, f"{tag}: {'|'.join(forms)}", forms)


def _snake_case(name: str) -> str:
    """Return a class name in snake case, such as ``deal_started``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


# --- plain values ----------------------------------------------------------------------------------------------------


def _keep_value(value: Any) -> Any:
    return value


def _form_of_plain_type(kind: type, text: str) -> Field:
    """Return the stored form of a plain type; reading refuses data of every other type."""

    def read_plain_value(data: object) -> object:
        return data if type(data) is kind else raise_undecodable(f"not a {text}")

    return Field(_keep_value, read_plain_value, text)


NUMBER: Final = _form_of_plain_type(int, "number")
FLAG: Final = _form_of_plain_type(bool, "flag")
TEXT: Final = _form_of_plain_type(str, "text")

_PLAIN_FORMS: Final[Mapping[Any, Field]] = {int: NUMBER, bool: FLAG, str: TEXT}


def optional_of(field: Field) -> Field:
    """Return the stored form of a value that may be None, which is written as null."""
    write, read = field.write, field.read
    return Field(
        lambda value: None if value is None else write(value),
        lambda data: None if data is None else read(data),
        f"{field.text}?",
    )


def tuple_of(field: Field) -> Field:
    """Return the stored form of a tuple of any length, whose items all have this form."""
    write, read = field.write, field.read
    return Field(
        list if write is _keep_value else lambda values: [write(value) for value in values],
        lambda data: tuple([read(one) for one in _require_list(data)]),
        f"[{field.text}, …]",
    )


def fixed_tuple_of(parts: list[Field]) -> Field:
    """Return the stored form of a tuple of fixed length; `parts` are the forms of its items."""

    def read_fixed_tuple(data: object) -> tuple[Any, ...]:
        if len(_require_list(data)) != len(parts):
            raise_undecodable("wrong length")
        return tuple([part.read(one) for part, one in zip(parts, _require_list(data), strict=True)])

    return Field(
        lambda values: [part.write(value) for part, value in zip(parts, values, strict=True)],
        read_fixed_tuple,
        f"[{', '.join(part.text for part in parts)}]",
    )


def set_of(field: Field) -> Field:
    """Return the stored form of a set whose items have this form, written in ascending order."""
    write, read = field.write, field.read
    return Field(
        lambda values: [write(value) for value in sorted(values)],
        lambda data: frozenset([read(one) for one in _require_list(data)]),
        f"{{{field.text}, …}}",
    )


def mapping_of(key: Field, value: Field) -> Field:
    """Return the stored form of a mapping with keys and values of these forms; keys are written as text."""

    def read_mapping(data: object) -> dict[Any, Any]:
        if type(data) is not dict:
            raise_undecodable("not an object")
        return {key.read(name): value.read(one) for name, one in data.items()}

    return Field(
        lambda values: {key.write(name): value.write(one) for name, one in values.items()},
        read_mapping,
        f"{{{key.text}: {value.text}}}",
    )


def enum_of(kind: type[StrEnum]) -> Field:
    """Return the stored form of an enumeration, whose members are written by their values."""

    def read_enum(data: object) -> StrEnum:
        try:
            return kind(data) if type(data) is str else raise_undecodable("unknown name")
        except ValueError:
            return raise_undecodable("unknown name")

    return Field(lambda member: member.value, read_enum, "|".join(member.value for member in kind))


def one_of_words(words: Iterable[str]) -> Field:
    """Return the stored form of a text that must be one of these words."""
    known = {word: word for word in words}
    return Field(_keep_value, _name_reader(known), "|".join(known))


def _require_list(data: object) -> list[Any]:
    """Return the data if it is a list. Raises `UndecodableData`."""
    return data if type(data) is list else raise_undecodable("not a list")


def _name_reader(names: Mapping[str, Any]) -> Callable[[object], Any]:
    """Return a function that returns the value of a name; it raises `UndecodableData` for unknown names."""

    def read_name(data: object) -> Any:
        found = names.get(data) if type(data) is str else None
        return raise_undecodable("unknown name") if found is None else found

    return read_name
