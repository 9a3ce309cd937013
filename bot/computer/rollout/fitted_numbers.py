"""Fitted numbers of the rollout player, one small file for each family and number of players."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any, Final

from bot.computer.rollout.engine_conversion import has_runs
from bot.computer.rollout.policy_numbers import default_numbers
from bot.engine.rules.rule_set import RuleSet

FOLDER: Final = "habits"

WITH_RUNS: Final = {"runs": True}
WITH_RUNS_AND_WILD: Final = {"runs": True, "wild": True}
"""Further words in the keys of forms with runs, and with melds of wild cards too."""

FOOT: Final = "foot"
"""The word in the key of a form with feet, for the number of cards of each."""

_MEASURED: Final[dict[str, object]] = {
    "foot_size": 0,
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
_ONE_MORE_TURN: Final[dict[str, object]] = {
    **{name: value for name, value in _MEASURED.items() if name != "draw_with_pile"},
    "upcard_specials": "keep_first_reinsert_rest",
    "wild_on_canasta": "free",
    "take_add_canasta": False,
    "take_pair_canasta": False,
    "stock_end": "one_more",
}
_ALWAYS_FROZEN: Final[dict[str, object]] = {
    **_MEASURED,
    "meld_kinds": frozenset({"set", "wild"}),
    "meld_max": None,
    "pile_frozen": "always",
    "take_open": frozenset({"pair"}),
    "take_add_canasta": False,
}
"""Parameter values of the forms of sets in which fitted numbers were measured to play better than rules of thumb."""


@cache
def are_fitted_numbers_better(rules: RuleSet) -> bool:
    """Return whether fitted numbers play better than rules of thumb under these rules.

    Ask only about rules that the rollout world can play. In games with feet, in those with runs for two sides, in
    Singkep and in Uruguay they do only if a file has numbers for the key of the form, which classic may share.
    """
    if _has_values(rules, _MEASURED):
        return True
    runs = has_runs(rules) and rules.sides == 2
    others = rules.foot_size or runs or _has_values(rules, _ONE_MORE_TURN) or _has_values(rules, _ALWAYS_FROZEN)
    return bool(others) and _find_file(_form_key(rules, rules.sides)) is not None


def _has_values(rules: RuleSet, wanted: dict[str, object]) -> bool:
    """Return whether all these parameters have these values."""
    return all(getattr(rules, name) == value for name, value in wanted.items())


@cache
def fitted_numbers_for(rules: RuleSet, sides: int) -> list[float]:
    """Return the numbers fitted for these rules and number of sides, or else those before fitting.

    A game with feet and without numbers of its own gets those of the nearest game with such feet.
    """
    wanted, usual = _form_key(rules, sides), default_numbers(runs=has_runs(rules))
    found = _find_file(wanted)
    if found is None and rules.foot_size:
        found = _file_of_nearest_form(wanted)
    return [number if found is None else float(found["numbers"].get(name, number)) for name, number in usual]


def _find_file(conditions: dict[str, Any]) -> dict[str, Any] | None:
    """Return the contents of the file with numbers fitted for exactly this key of a form, or None."""
    return next((one for one in _load_files() if one["for"] == conditions), None)


def _file_of_nearest_form(wanted: dict[str, Any]) -> dict[str, Any] | None:
    """Return the contents of the file for the form with such feet that is most like this one, or None.

    Forms are compared by canastas, then by whether there are partners, then by seats.
    """
    alone = wanted["seats"] == wanted["sides"]
    same = [one for one in _load_files() if all(one["for"].get(name) == wanted[name] for name in ("draw", FOOT))]

    def difference_between_forms(one: dict[str, Any]) -> tuple[bool, bool, int]:
        key = one["for"]
        other = key["canastas"] != wanted["canastas"]
        return other, (key["seats"] == key["sides"]) != alone, abs(key["seats"] - wanted["seats"])

    return min(same, key=difference_between_forms, default=None)


def file_content(rules: RuleSet, sides: int, numbers: list[float]) -> dict[str, Any]:
    """Return the content of the file that stores these numbers for a form."""
    usual = default_numbers(runs=has_runs(rules))
    told = {name: round(number, 2) for (name, _), number in zip(usual, numbers, strict=True)}
    return {"for": _form_key(rules, sides), "numbers": told}


def _form_key(rules: RuleSet, sides: int) -> dict[str, Any]:
    """Return the parameters by which the fitted numbers of a form are found.

    They are seats, sides, cards drawn, canastas to go out, and kinds of melds or the size of the foot.
    """
    draw = rules.draw if isinstance(rules.draw, int) else rules.draw[0]
    key: dict[str, Any] = {"seats": rules.playing, "sides": sides, "draw": draw, "canastas": rules.out_canastas}
    if rules.foot_size:
        return {**key, FOOT: rules.foot_size}
    if not has_runs(rules):
        return key
    return {**key, **(WITH_RUNS_AND_WILD if "wild" in rules.meld_kinds else WITH_RUNS)}


@cache
def _load_files() -> tuple[dict[str, Any], ...]:
    """Return the contents of all files of fitted numbers, sorted by name."""
    folder = files("bot.computer.rollout").joinpath(FOLDER)
    texts = sorted(
        (one.name, one.read_text(encoding="utf-8")) for one in folder.iterdir() if one.name.endswith(".json")
    )
    return tuple(json.loads(text) for _, text in texts)
