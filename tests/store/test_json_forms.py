"""Stored forms of types follow from their annotations, and refuse data that does not fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, Literal, TypeAlias

import pytest

from bot.store.errors import UndecodableData
from bot.store.game_forms import GAME_TYPES, RULE_TYPES
from bot.store.json_forms import Form, TypeTable, one_of_words
from bot.tables.core.stored_forms import TABLE_TYPES
from bot.tournaments.core.stored_forms import TOURNAMENT_TYPES

Letter: TypeAlias = Annotated[str, "letter"]


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Inner:
    number: int
    letter: Letter = "a"


@dataclass(frozen=True)
class Outer:
    inner: Inner
    colour: Colour
    word: Literal["yes", "no"] = "no"
    maybe: str | None = None
    inners: tuple[Inner, ...] = ()
    pair: tuple[int, str] = (0, "")
    letters: frozenset[Letter] = frozenset()
    counts: Mapping[Colour, int] = field(default_factory=dict)
    one_or_more: int | tuple[int, ...] = 0
    open: bool = True


@dataclass(frozen=True)
class Other:
    table: int


@dataclass(frozen=True)
class Unfit:
    values: list[int]


FULL = Outer(
    Inner(7, "c"),
    Colour.BLUE,
    "yes",
    "text",
    (Inner(1), Inner(2, "b")),
    (3, "three"),
    frozenset({"c", "a"}),
    {Colour.RED: 4},
    (5, 6),
    open=False,
)
DATA: dict[str, Any] = {
    "inner": {"number": 7, "letter": "c"},
    "colour": "blue",
    "word": "yes",
    "maybe": "text",
    "inners": [{"number": 1}, {"number": 2, "letter": "b"}],
    "pair": [3, "three"],
    "letters": ["a", "c"],
    "counts": {"red": 4},
    "one_or_more": [5, 6],
    "open": False,
}


def type_table(*, complete: bool = False) -> TypeTable:
    return TypeTable({Letter: one_of_words("abc")}, complete=complete)


def test_annotations_decide_how_fields_are_written() -> None:
    form = type_table().derive_form(Outer)
    assert DATA == form.write(FULL)
    assert FULL == form.read(DATA)


def test_a_field_at_its_default_is_left_out_of_the_stored_form() -> None:
    plain = Outer(Inner(7), Colour.RED)
    assert {"inner": {"number": 7}, "colour": "red"} == type_table().derive_form(Outer).write(plain)
    assert plain == type_table().derive_form(Outer).read({"inner": {"number": 7}, "colour": "red"})


def test_a_complete_form_writes_defaults_too() -> None:
    assert {"number": 7, "letter": "a"} == type_table(complete=True).derive_form(Inner).write(Inner(7))


def test_a_field_can_be_stored_in_a_column_instead() -> None:
    form = type_table().derive_form(Inner, without=("letter",))
    assert {"number": 7} == form.write(Inner(7, "b"))
    with pytest.raises(UndecodableData, match=r"^Inner: unknown field$"):
        form.read({"number": 7, "letter": "b"})


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"inner": {"number": 7, "Ks": 1}}, "Outer.inner: Inner: unknown field"),
        ({"inner": {}}, "Outer.inner: Inner.number: missing"),
        ({"inner": {"number": 7.0}}, "Outer.inner: Inner.number: not a number"),
        ({"inner": {"number": True}}, "Outer.inner: Inner.number: not a number"),
        ({"inner": {"number": "7"}}, "Outer.inner: Inner.number: not a number"),
        ({"inner": {"number": 7, "letter": "Ks"}}, "Outer.inner: Inner.letter: unknown name"),
        ({"inner": ["Ks"]}, "Outer.inner: Inner: not an object"),
        ({"colour": "Ks"}, "Outer.colour: unknown name"),
        ({"word": "Ks"}, "Outer.word: unknown name"),
        ({"word": ["Ks"]}, "Outer.word: unknown name"),
        ({"maybe": 7}, "Outer.maybe: not a text"),
        ({"inners": {"Ks": 1}}, "Outer.inners: not a list"),
        ({"pair": [3]}, "Outer.pair: wrong length"),
        ({"pair": [3, "three", "Ks"]}, "Outer.pair: wrong length"),
        ({"counts": ["Ks"]}, "Outer.counts: not an object"),
        ({"counts": {"Ks": 1}}, "Outer.counts: unknown name"),
        ({"one_or_more": "Ks"}, "Outer.one_or_more: wrong type"),
        ({"open": 1}, "Outer.open: not a flag"),
    ],
)
def test_a_wrong_value_is_refused_with_its_path(change: Mapping[str, Any], place: str) -> None:
    with pytest.raises(UndecodableData) as refused:
        type_table().derive_form(Outer).read({**DATA, **change})
    assert place == str(refused.value)


@pytest.mark.parametrize("damaged", [None, 7, "Ks", ["Ks"], {}, {"kind": "Ks"}, {"kind": 7}, {"kind": ["Ks"]}])
def test_an_unknown_name_is_refused_and_not_quoted(damaged: object) -> None:
    with pytest.raises(UndecodableData, match=r"^kind: (unknown name|not an object)$"):
        type_table().tagged_forms("kind", Inner | Other).read(damaged)


def test_types_of_a_union_are_distinguished_by_a_tag() -> None:
    table = type_table()
    forms = table.tagged_forms("kind", Inner | Other)
    assert {"kind": "other", "table": 3} == forms.write(Other(3))
    assert Other(3) == forms.read({"kind": "other", "table": 3})
    assert forms is table.derive_form(Inner | Other)


def test_a_field_named_like_the_tag_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^table other"):
        type_table().tagged_forms("table", Inner | Other)


@pytest.mark.parametrize("kind", [Unfit, float, int | bool, str | Colour, Inner | Other, Mapping[int, int]])
def test_a_type_without_a_form_is_refused(kind: Any) -> None:
    with pytest.raises(TypeError):
        type_table().derive_form(kind)


# --- every type that is stored ---------------------------------------------------------------------------------------

FORMS: dict[Any, Form] = {
    form.type: form
    for table in (RULE_TYPES, GAME_TYPES, TABLE_TYPES, TOURNAMENT_TYPES)
    for form in table.fields.values()
    if isinstance(form, Form)
}
DAMAGED: Mapping[str, tuple[object, ...]] = {
    "number": (7.0, True, "7"),
    "card": ("Kx", 37),
    "cards": ("KsKx", "Ks ", ["Ks"]),
}


def error_text_of_refusal(form: Form, data: Mapping[str, object]) -> str:
    """Return the error text with which a form refuses the data."""
    with pytest.raises(UndecodableData) as refused:
        form.read(data)
    return str(refused.value)


def test_every_form_refuses_an_unknown_field() -> None:
    for form in FORMS.values():
        assert f"{form.text}: unknown field" == error_text_of_refusal(form, {"Ks": 1})


def test_numbers_and_cards_of_a_wrong_type_are_refused_without_quoting_them() -> None:
    tried = 0
    for form in FORMS.values():
        for name, part in form.fields.items():
            for damaged in DAMAGED.get(part.text.removesuffix("?"), ()):
                place = f"{form.text}.{name}"
                text = error_text_of_refusal(form, {name: damaged})
                assert text in {f"{place}: not a number", f"{place}: not a card", f"{place}: not cards"}, damaged
                tried += 1
    assert tried > 1000
