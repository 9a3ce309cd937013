"""Rules of earlier versions are told in today's words."""

from __future__ import annotations

from typing import Any

import pytest

from bot.engine.rules.rule_set import RULES_VERSION
from bot.store.earlier_rules import TRANSLATIONS, translated
from bot.store.errors import Undecodable


def _renamed(parameters: dict[str, Any]) -> dict[str, Any]:
    """Version 2 of a made-up history: the bonus of a canasta was called by another word."""
    return {"bonus_natural" if name == "bonus_pure" else name: value for name, value in parameters.items()}


def _halved(parameters: dict[str, Any]) -> dict[str, Any]:
    """Version 3: the bonus is told in tens."""
    return {**parameters, "bonus_natural": parameters["bonus_natural"] // 10}


HISTORY = (_renamed, _halved)


def test_every_version_that_was_left_behind_has_a_translation() -> None:
    assert RULES_VERSION - 1 == len(TRANSLATIONS)


@pytest.mark.parametrize(
    ("stored", "read"),
    [
        ({"version": 1, "bonus_pure": 500, "draw": 2}, {"bonus_natural": 50, "draw": 2}),
        ({"version": 2, "bonus_natural": 500, "draw": 2}, {"bonus_natural": 50, "draw": 2}),
        ({"version": 3, "bonus_natural": 50, "draw": 2}, {"bonus_natural": 50, "draw": 2}),
    ],
)
def test_rules_go_through_the_translations_from_their_version_on(stored: dict[str, Any], read: dict[str, Any]) -> None:
    before = dict(stored)
    assert read == translated(stored, HISTORY)
    assert before == stored


@pytest.mark.parametrize("version", [0, 4, -1, None, "1", True, 1.0])
def test_a_version_that_never_was_or_is_not_yet_is_refused(version: object) -> None:
    with pytest.raises(Undecodable, match="of another version than 1 to 3"):
        translated({"version": version, "bonus_natural": 50}, HISTORY)


def test_rules_without_a_version_are_refused() -> None:
    with pytest.raises(Undecodable):
        translated({"bonus_natural": 50}, HISTORY)
