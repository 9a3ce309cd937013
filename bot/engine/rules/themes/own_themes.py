"""A table's own themes, composed of chosen conditions.

A table has at most two of its own: one whose conditions hold in every deal, and one with one condition per deal.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bot.engine.cards.cards import value_class
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.themes.conditions import KINDS, Condition, Theme, Until, What

OWN: Final = "own"
"""The table's own theme whose conditions all hold in every deal."""

OWN_BY_DEAL: Final = "own-by-deal"
"""The table's own theme with one condition per deal, in turn."""

OWN_THEMES: Final = (OWN, OWN_BY_DEAL)

MOST_CONDITIONS: Final = 12
"""The most conditions a table may compose, those of single deals included."""

_NATURALS: Final = tuple([rank for rank in KINDS if rank not in ("3", "2", "JK")])
_CANASTAS: Final = (*_NATURALS, "wild", "run")


@value_class
class ConditionChoices:
    """The ranks, canastas and ends that a table may choose for its own condition of one sort.

    - `ranks`: the ranks it may name; `least`: the least number of ranks.
    - `canastas`: whether it may name a sort of canasta; `most`: the highest number of canastas.
    - `untils`: when it may end.
    - `by_seat`: whether it may give each seat its own rank.
    """

    ranks: tuple[str, ...] = ()
    least: int = 0
    canastas: bool = False
    most: int = 0
    untils: tuple[Until, ...] = ("never",)
    by_seat: bool = False


CHOICES: Final[dict[What, ConditionChoices]] = {
    "open_with": ConditionChoices(_NATURALS, 1, untils=("never", "turn", "deal"), by_seat=True),
    "open_without": ConditionChoices((*_NATURALS, "2", "JK"), 1, untils=("never", "turn", "deal"), by_seat=True),
    "no_meld": ConditionChoices(tuple(KINDS), 1, untils=("never", "canasta", "turn", "deal"), by_seat=True),
    "no_discard": ConditionChoices(
        tuple(KINDS), 1, untils=("never", "opened", "canasta", "turn", "deal"), by_seat=True
    ),
    "no_canasta": ConditionChoices(_CANASTAS, 1, untils=("never", "turn", "deal")),
    "canasta_first": ConditionChoices(_CANASTAS, 1, untils=("never", "deal")),
    "out_with": ConditionChoices(_CANASTAS, canastas=True, most=6),
    "no_pile": ConditionChoices(untils=("never", "opened", "canasta", "turn", "deal")),
    "no_out": ConditionChoices(untils=("never", "turn", "deal")),
    "wins_with": ConditionChoices(_CANASTAS, canastas=True),
    "freeze_once": ConditionChoices(),
}
"""Every sort of condition that can be composed, in the order of the menu."""

END_NUMBERS: Final[dict[Until, tuple[int, ...]]] = {"turn": tuple(range(2, 9)), "deal": tuple(range(2, 7))}
"""The turns and deals at which a composed condition may end."""


def is_condition_complete(condition: Condition) -> bool:
    """Return whether a composed condition has all necessary fields and no meaningless ones."""
    choices = CHOICES[condition.what]
    ranks, until = condition.ranks, condition.until
    named = choices.least <= len(ranks) and set(ranks) <= set(choices.ranks)
    once_each = condition.by_seat or len(set(ranks)) == len(ranks)
    seats = not condition.by_seat or (choices.by_seat and bool(ranks))
    kind = condition.canasta == "any" or choices.canastas or until == "canasta"
    ends = until in choices.untils and (until not in END_NUMBERS or condition.number in END_NUMBERS[until])
    counted = until in END_NUMBERS or (1 <= condition.number <= choices.most if choices.most else condition.number == 0)
    return named and once_each and seats and kind and ends and counted


# --- the conditions of a table's own themes ---------------------------------------------------------------------------


def own_conditions(rules: RuleSet) -> tuple[tuple[str, Condition], ...]:
    """Return the conditions of the table's own themes, each with the name of its theme."""
    return tuple(
        (theme.name, one) for theme in rules.theme if theme.name in OWN_THEMES for turn in theme.turns for one in turn
    )


def with_condition(rules: RuleSet, condition: Condition, *, by_deal: bool) -> RuleSet:
    """Return the rules with one more condition in the table's own themes.

    With `by_deal` the condition gets its own deal, after those of the others; otherwise it holds in every deal.
    """
    name = OWN_BY_DEAL if by_deal else OWN
    mine = [one for theme, one in own_conditions(rules) if theme == name]
    return rules if condition in mine and not by_deal else _with_own_theme(rules, name, [*mine, condition])


def without_condition(rules: RuleSet, condition: Condition, *, by_deal: bool) -> RuleSet:
    """Return the rules without that condition of the table's own; unchanged if they do not have it."""
    name = OWN_BY_DEAL if by_deal else OWN
    mine = [one for theme, one in own_conditions(rules) if theme == name]
    if condition not in mine:
        return rules
    mine.remove(condition)
    return _with_own_theme(rules, name, mine)


def _with_own_theme(rules: RuleSet, name: str, conditions: list[Condition]) -> RuleSet:
    """Return the rules in which the table's own theme `name` has exactly these conditions.

    Without any conditions, the theme is removed.
    """
    others = [theme for theme in rules.theme if theme.name != name]
    turns = tuple([(one,) for one in conditions]) if name == OWN_BY_DEAL else (tuple(conditions),)
    mine = [Theme(name, turns)] if conditions else []
    return replace(rules, theme=tuple(sorted([*others, *mine], key=_own_themes_last_key)))


def _own_themes_last_key(theme: Theme) -> int:
    """Return the sort key of a theme: the table's own themes come last."""
    return OWN_THEMES.index(theme.name) + 1 if theme.name in OWN_THEMES else 0
