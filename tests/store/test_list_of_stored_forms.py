"""The stored forms equal the list in `tests/data/stored_forms.json` until a migration changes them."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from bot.store.migrations import read_migrations
from tests.support.stored_type_fields import FILE, changed_type_names, list_stored_types

STORED = json.loads(FILE.read_text(encoding="utf-8"))


def test_a_stored_form_changes_only_with_a_migration() -> None:
    now = list_stored_types()
    changed = changed_type_names(STORED, now)
    if changed and now["migration"] == STORED["migration"]:
        pytest.fail(f"rows of before could not be read: add a migration for {', '.join(changed)}")
    assert now == STORED, "run python -m tests.support.stored_type_fields"


def add_field(forms: dict[str, Any]) -> None:
    forms["game"]["Laid"]["number"] = "number = 0"


def drop_field(forms: dict[str, Any]) -> None:
    del forms["game"]["Laid"]["cards"]


def change_default(forms: dict[str, Any]) -> None:
    forms["game"]["Laid"]["exposed"] = 'cards = "Ks"'


def change_type(forms: dict[str, Any]) -> None:
    forms["game"]["Laid"]["top"] = "card"


def drop_form(forms: dict[str, Any]) -> None:
    del forms["game"]["Laid"]


@pytest.mark.parametrize("change", [add_field, drop_field, change_default, change_type, drop_form])
def test_every_change_of_a_form_is_noticed(change: Callable[[dict[str, Any]], None]) -> None:
    changed = deepcopy(STORED)
    change(changed)
    assert ["game: Laid"] == changed_type_names(STORED, changed)


def test_migrations_are_numbered_without_gaps_or_doubles() -> None:
    numbers = [one.version for one in read_migrations()]
    assert list(range(1, len(numbers) + 1)) == numbers
