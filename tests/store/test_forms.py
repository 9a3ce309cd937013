"""Forms that could not be read back are refused before anything is written with them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from bot.store.errors import Undecodable
from bot.store.forms import NUMBER, Form, Forms


@dataclass(frozen=True)
class One:
    table: int


@dataclass(frozen=True)
class Other:
    number: int


@pytest.mark.parametrize(
    "forms",
    [
        (Form("one", One, {"table": NUMBER}),),
        (Form("one", One, {"table": NUMBER}), Form("one", Other, {"number": NUMBER})),
        (Form("one", Other, {"number": NUMBER}), Form("other", Other, {"number": NUMBER})),
    ],
)
def test_forms_that_could_not_be_told_apart_are_refused(forms: tuple[Form, ...]) -> None:
    with pytest.raises(ValueError, match=r"^table"):
        Forms("table", forms)


@pytest.mark.parametrize(("name", "told"), [("a" * 40, "a" * 40), ("a" * 41, r"\(not a name\)")])
def test_a_name_is_told_up_to_forty_letters(name: str, told: str) -> None:
    forms = Forms("event", (Form("other", Other, {"number": NUMBER}),))
    with pytest.raises(Undecodable, match=rf"^no event of that name is known: {told}$"):
        forms.read({"event": name})


@pytest.mark.parametrize("damaged", ["Ks", "7s", "JK", "s7d", "KsQh7d", "As Kd", 7, ["Ks"], None])
def test_what_stands_in_the_place_of_a_name_is_not_told(damaged: Any) -> None:
    forms = Forms("event", (Form("other", Other, {"number": NUMBER}),))
    with pytest.raises(Undecodable, match=r"^no event of that name is known: \(not a name\)$"):
        forms.read({"event": damaged, "number": 1})
