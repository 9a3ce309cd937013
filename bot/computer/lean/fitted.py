"""Fitted numbers of the lean player, one small file for each family and number of players."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any, Final

from bot.computer.lean.numbers import HABITS, NAMES, usual_numbers
from bot.engine.rules.rule_set import RuleSet

FOLDER: Final = "habits"

KEY: Final = ("seats", "sides", "draw", "canastas")
"""Key of a file's form: seats that play, sides, cards drawn, canastas for going out."""

_MEASURED: Final[dict[str, object]] = {
    "meld_kinds": frozenset({"set"}),
    "pile_frozen": "by_card",
    "red3_sign": "opened",
    "upcard_specials": "keep_in_pile",
    "draw_with_pile": 0,
    "wild_on_canasta": "to_max",
    "take_open": frozenset({"pair", "card+wild", "add"}),
    "take_add_canasta": True,
    "take_pair_canasta": True,
    "stock_end": "pile_play",
}
"""Parameter values of the forms in which fitted numbers were measured to play better than rules of thumb."""


@cache
def is_measured(rules: RuleSet) -> bool:
    """Return whether fitted numbers play these rules, which the lean world must claim, better than rules of thumb."""
    return all(getattr(rules, name) == value for name, value in _MEASURED.items())


@cache
def numbers_for(rules: RuleSet, sides: int) -> list[float]:
    """Return the numbers fitted for this family and number of players, or those before fitting."""
    wanted = dict(zip(KEY, _key(rules, sides), strict=True))
    found = next((one["numbers"] for one in _files() if one["for"] == wanted), None)
    return usual_numbers() if found is None else [float(found.get(name, usual)) for name, usual in HABITS]


def fitted_for(rules: RuleSet, sides: int, numbers: list[float]) -> dict[str, Any]:
    """Return the content of the file that stores these numbers for a form."""
    told = {name: round(number, 2) for name, number in zip(NAMES, numbers, strict=True)}
    return {"for": dict(zip(KEY, _key(rules, sides), strict=True)), "numbers": told}


def _key(rules: RuleSet, sides: int) -> tuple[int, ...]:
    """Return the key of the form: seats that play, sides, cards drawn, canastas for going out."""
    draw = rules.draw if isinstance(rules.draw, int) else rules.draw[0]
    return rules.playing, sides, draw, rules.out_canastas


@cache
def _files() -> tuple[dict[str, Any], ...]:
    """Return the contents of all files, by name."""
    folder = files("bot.computer.lean").joinpath(FOLDER)
    texts = sorted(
        (one.name, one.read_text(encoding="utf-8")) for one in folder.iterdir() if one.name.endswith(".json")
    )
    return tuple(json.loads(text) for _, text in texts)
