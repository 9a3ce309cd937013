"""Themes read from data and written to it: names of the library, or objects with every condition."""

from __future__ import annotations

from typing import Any, Final

from bot.engine.rules.fields import Fields, PositionError, rows
from bot.engine.rules.themes.composing import CHOICES, OWN
from bot.engine.rules.themes.conditions import CANASTAS, UNTILS, WHATS, Condition, Theme
from bot.engine.rules.themes.library import THEMES

_FIELDS: Final = ("what", "ranks", "canasta", "number", "until", "by_seat")


def read_themes(data: object, path: str) -> tuple[Theme, ...]:
    """Themes from JSON, each name once. Raises `PositionError`."""
    read = [read_theme(one, f"{path}.{place}") for place, one in enumerate(rows(data, path))]
    return tuple({theme.name: theme for theme in read}.values())


def read_theme(data: object, path: str) -> Theme:
    """A theme from JSON. Raises `PositionError`."""
    if isinstance(data, str):
        if data not in THEMES:
            raise PositionError(path, f"there is no theme {data!r}; there are {', '.join(THEMES)}")
        return THEMES[data]
    fields = Fields(data, path, ("name", "turns"))
    turns = fields.rows("turns")
    if not turns or not all(isinstance(turn, list) and turn for turn in turns):
        raise PositionError(fields.at("turns"), "needs lists of conditions, one a deal in turn")
    read = [
        tuple([read_condition(one, f"{fields.at('turns')}.{deal}.{place}") for place, one in enumerate(turn)])
        for deal, turn in enumerate(turns)
    ]
    return Theme(fields.text("name", OWN), tuple(read))


def read_condition(data: object, path: str) -> Condition:
    """A condition from JSON. Raises `PositionError`."""
    fields = Fields(data, path, _FIELDS)
    what = next(one for one in WHATS if one == fields.choice("what", WHATS, "none"))
    canasta = next(one for one in CANASTAS if one == fields.choice("canasta", CANASTAS, "any"))
    until = next(one for one in UNTILS if one == fields.choice("until", UNTILS, "never"))
    ranks, choices = fields.rows("ranks"), CHOICES[what]
    if unknown := [rank for rank in ranks if rank not in choices.ranks]:
        raise PositionError(fields.at("ranks"), f"has no {unknown[0]!r} for {what}")
    by_seat = fields.flag("by_seat", default=False)
    if len(ranks) < (1 if by_seat else choices.least):
        raise PositionError(fields.at("ranks"), "needs at least one")
    return Condition(what, tuple(ranks), canasta, fields.whole("number", 0, lowest=0), until, by_seat)


def written_theme(theme: Theme) -> str | dict[str, Any]:
    """A theme for JSON, as `read_theme` reads it: by its name, where the library has it under that name."""
    if THEMES.get(theme.name) == theme:
        return theme.name
    return {"name": theme.name, "turns": [[written_condition(one) for one in turn] for turn in theme.turns]}


def written_condition(condition: Condition) -> dict[str, Any]:
    """A condition for JSON, without the fields that have their usual values."""
    usual = Condition(condition.what)
    said = {name: getattr(condition, name) for name in _FIELDS if getattr(condition, name) != getattr(usual, name)}
    ranks = {"ranks": list(condition.ranks)} if condition.ranks else {}
    return {"what": condition.what, **said, **ranks}
