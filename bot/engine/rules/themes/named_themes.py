"""The named themes that leagues announce for an evening (`docs/rules/themes.md`).

A theme that was ever offered stays here, because its texts are shown wherever a table plays it. As data a theme is its
name, or an object with every condition.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from bot.engine.rules.case_fields import CaseFields, PositionError, read_rows
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.themes.conditions import CANASTAS, UNTILS, WHATS, Condition, Theme
from bot.engine.rules.themes.own_themes import CHOICES, OWN

_WILDS: Final = ("2", "JK")
_ALL: Final = ("4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A")
_FACES: Final = ("J", "Q", "K")
_LOW: Final = ("4", "5", "6", "7")


def _theme_for_every_deal(name: str, *conditions: Condition) -> Theme:
    """Return a theme whose conditions hold in every deal."""
    return Theme(name, (conditions,))


def _theme_by_deal(name: str, *conditions: Condition) -> Theme:
    """Return a theme with one condition for each deal, in turn."""
    return Theme(name, tuple([(condition,) for condition in conditions]))


_BY_GROUP: Final[dict[str, tuple[Theme, ...]]] = {
    "opening": (
        _theme_for_every_deal("ace-start", Condition("open_with", ("A",))),
        _theme_for_every_deal("seven-start", Condition("open_with", ("7",))),
        _theme_for_every_deal("royal-start", Condition("open_with", _FACES)),
        _theme_for_every_deal("low-start", Condition("open_with", _LOW)),
        _theme_for_every_deal("own-start", Condition("open_with", ("K", "Q", "J", "T", "9", "8"), by_seat=True)),
        _theme_for_every_deal("aces-later", Condition("open_without", ("A",))),
        _theme_for_every_deal("faces-later", Condition("open_without", (*_FACES, "A"))),
        _theme_for_every_deal("natural-start", Condition("open_without", _WILDS)),
    ),
    "melds": (
        _theme_for_every_deal("taboo-sevens", Condition("no_meld", ("7",))),
        _theme_for_every_deal("taboo-queens", Condition("no_meld", ("Q",))),
        _theme_for_every_deal("own-taboo", Condition("no_meld", ("K", "Q", "J", "T", "9", "8"), by_seat=True)),
        _theme_for_every_deal("no-wild-cards", Condition("no_meld", _WILDS)),
        _theme_for_every_deal("sleeping-jokers", Condition("no_meld", ("JK",))),
        _theme_for_every_deal("sleeping-twos", Condition("no_meld", ("2",))),
        _theme_for_every_deal("wilds-after-natural", Condition("no_meld", _WILDS, canasta="natural", until="canasta")),
        _theme_for_every_deal("wilds-from-four", Condition("no_meld", _WILDS, until="turn", number=4)),
    ),
    "discards": (
        _theme_for_every_deal("keep-aces", Condition("no_discard", ("A",))),
        _theme_for_every_deal("keep-faces", Condition("no_discard", _FACES)),
        _theme_for_every_deal("keep-wilds", Condition("no_discard", _WILDS)),
        _theme_for_every_deal("keep-stoppers", Condition("no_discard", ("3",))),
        _theme_for_every_deal("freeze-once", Condition("freeze_once")),
    ),
    "pile": (
        _theme_for_every_deal("hands-off", Condition("no_pile")),
        _theme_for_every_deal("earn-the-pile", Condition("no_pile", until="opened")),
        _theme_for_every_deal("canasta-for-the-pile", Condition("no_pile", until="canasta")),
        _theme_for_every_deal("pile-from-four", Condition("no_pile", until="turn", number=4)),
    ),
    "canastas": (
        _theme_for_every_deal("kings-first", Condition("canasta_first", ("K",))),
        _theme_for_every_deal("royal-first", Condition("canasta_first", _FACES)),
        _theme_for_every_deal("small-aces", Condition("no_canasta", ("A",))),
        _theme_for_every_deal("royal-exit", Condition("out_with", _FACES)),
        _theme_for_every_deal("natural-exit", Condition("out_with", canasta="natural")),
        _theme_for_every_deal(
            "both-kinds", Condition("out_with", canasta="natural"), Condition("out_with", canasta="mixed")
        ),
        _theme_for_every_deal("three-to-go", Condition("out_with", number=3)),
        _theme_for_every_deal("to-the-last-card", Condition("no_out")),
        _theme_for_every_deal("stay-for-six", Condition("no_out", until="turn", number=6)),
        _theme_for_every_deal("warming-up", Condition("no_out", until="deal", number=2)),
        _theme_for_every_deal("golden-aces", Condition("wins_with", ("A",), canasta="natural")),
        _theme_for_every_deal("lucky-sevens", Condition("wins_with", ("7",), canasta="natural")),
    ),
    "by_deal": (
        _theme_by_deal("round-the-world", *[Condition("open_with", (rank,)) for rank in _ALL]),
        _theme_by_deal("taboo-round", *[Condition("no_meld", (rank,)) for rank in _ALL]),
        _theme_by_deal(
            "league-evening",
            Condition("open_with", _FACES),
            Condition("no_pile", until="opened"),
            Condition("no_discard", ("A",)),
            Condition("out_with", number=2),
        ),
    ),
}

GROUPS: Final = {about: tuple([theme.name for theme in themes]) for about, themes in _BY_GROUP.items()}
"""The names of the themes by subject, in the order of display."""

THEMES: Final[dict[str, Theme]] = {theme.name: theme for themes in _BY_GROUP.values() for theme in themes}
"""Every theme by its name, in the order of display."""


def with_themes(rules: RuleSet, names: Iterable[str]) -> RuleSet:
    """Return the rule set with these themes added, each once. Raises `LookupError` for an unknown name.

    Whether they fit together is checked by `bot.engine.law.rule_conflicts.find_rule_problems`.
    """
    return replace(rules, theme=tuple([THEMES[name] for name in dict.fromkeys(names)]))


def theme_names(rules: RuleSet) -> tuple[str, ...]:
    """Return the names of the themes of a rule set."""
    return tuple([theme.name for theme in rules.theme])


# --- themes as data ---------------------------------------------------------------------------------------------------

_FIELDS: Final = ("what", "ranks", "canasta", "number", "until", "by_seat")


def read_themes(data: object, path: str) -> tuple[Theme, ...]:
    """Return the themes in JSON data, each name once. Raises `PositionError`."""
    read = [read_theme(one, f"{path}.{place}") for place, one in enumerate(read_rows(data, path))]
    return tuple({theme.name: theme for theme in read}.values())


def read_theme(data: object, path: str) -> Theme:
    """Return a theme from JSON. Raises `PositionError`."""
    if isinstance(data, str):
        if data not in THEMES:
            raise PositionError(path, f"there is no theme {data!r}; there are {', '.join(THEMES)}")
        return THEMES[data]
    fields = CaseFields(data, path, ("name", "turns"))
    turns = fields.rows("turns")
    if not turns or not all(isinstance(turn, list) and turn for turn in turns):
        raise PositionError(fields.path_of("turns"), "needs lists of conditions, one a deal in turn")
    read = [
        tuple([read_condition(one, f"{fields.path_of('turns')}.{deal}.{place}") for place, one in enumerate(turn)])
        for deal, turn in enumerate(turns)
    ]
    return Theme(fields.text("name", OWN), tuple(read))


def read_condition(data: object, path: str) -> Condition:
    """Return a condition from JSON. Raises `PositionError`."""
    fields = CaseFields(data, path, _FIELDS)
    what = fields.choice("what", WHATS, "none")
    canasta = fields.choice("canasta", CANASTAS, "any")
    until = fields.choice("until", UNTILS, "never")
    ranks, choices = fields.rows("ranks"), CHOICES[what]
    if unknown := [rank for rank in ranks if rank not in choices.ranks]:
        raise PositionError(fields.path_of("ranks"), f"has no {unknown[0]!r} for {what}")
    by_seat = fields.flag("by_seat", default=False)
    if len(ranks) < (1 if by_seat else choices.least):
        raise PositionError(fields.path_of("ranks"), "needs at least one")
    return Condition(what, tuple(ranks), canasta, fields.whole_number("number", 0, lowest=0), until, by_seat)


def write_theme(theme: Theme) -> str | dict[str, Any]:
    """Return a theme as data for `read_theme`.

    That is its name if the library has just this theme under it, else an object.
    """
    if THEMES.get(theme.name) == theme:
        return theme.name
    return {"name": theme.name, "turns": [[write_condition(one) for one in turn] for turn in theme.turns]}


def write_condition(condition: Condition) -> dict[str, Any]:
    """Return a condition for JSON, without the fields that have their default values."""
    usual = Condition(condition.what)
    said = {name: getattr(condition, name) for name in _FIELDS if getattr(condition, name) != getattr(usual, name)}
    ranks = {"ranks": list(condition.ranks)} if condition.ranks else {}
    return {"what": condition.what, **said, **ranks}
