"""A lobby's house rules: what happens when its host changes them. Pure, like `bot.tables.lobby`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, Final

from bot.engine.law.house_rules import Unplayable, changed, validate
from bot.engine.rules.parameters import BY_NAME
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.themes.composing import (
    MOST_CONDITIONS,
    OWN_THEMES,
    is_complete,
    own_conditions,
    with_condition,
    without_condition,
)
from bot.engine.rules.themes.conditions import Condition
from bot.engine.rules.themes.library import THEMES, with_themes
from bot.engine.rules.topics import POINTS
from bot.tables.events import AnyEvent, RulesChanged
from bot.tables.lobby import require_changeable
from bot.tables.looks import Caller
from bot.tables.record import Table
from bot.tables.refusals import RulesRefused, TableCode, TableRefusal

THEMES_OF_RULES: Final = "theme"
"""What the themes are called among the parameters."""

LOWEST_TARGET: Final = 100
HIGHEST_TARGET: Final = 100_000


def change(table: Table, caller: Caller, options: Mapping[str, Any]) -> tuple[AnyEvent, ...]:
    """Play with these parameters, as JSON has them, in place of the lobby's own."""
    require_changeable(table, caller)
    try:
        return _changed(table, changed(table.record.rules, options))
    except Unplayable as unplayable:
        raise RulesRefused(unplayable.problems) from None


def choose_themes(table: Table, caller: Caller, names: Collection[str]) -> tuple[AnyEvent, ...]:
    """Lay these themes of the library over the lobby's rules in place of others; the table's own stay."""
    require_changeable(table, caller)
    own = [theme for theme in table.record.rules.theme if theme.name in OWN_THEMES]
    chosen = themed(table.record.rules, names)
    return _changed(table, replace(chosen, theme=(*chosen.theme, *own)))


def add_condition(table: Table, caller: Caller, condition: Condition, *, by_deal: bool) -> tuple[AnyEvent, ...]:
    """Add a condition to the table's own theme, for every deal or for a deal of its own after the others."""
    require_changeable(table, caller)
    if not is_complete(condition):
        raise TableRefusal(TableCode.CONDITION_INCOMPLETE)
    rules = with_condition(table.record.rules, condition, by_deal=by_deal)
    count = len(own_conditions(rules))
    if count > MOST_CONDITIONS:
        raise TableRefusal(TableCode.TOO_MANY_CONDITIONS, {"conditions": count, "most": MOST_CONDITIONS})
    return _changed(table, rules)


def drop_condition(table: Table, caller: Caller, condition: Condition, *, by_deal: bool) -> tuple[AnyEvent, ...]:
    """Take a condition off the table's own theme; nothing happens where it is not there."""
    require_changeable(table, caller)
    return _changed(table, without_condition(table.record.rules, condition, by_deal=by_deal))


def reset(table: Table, caller: Caller, names: Collection[str]) -> tuple[AnyEvent, ...]:
    """Play again with the parameters that the table was opened with; all, and its themes, where none is named."""
    require_changeable(table, caller)
    rules, base = table.record.rules, table.record.base or table.record.rules
    known = {*BY_NAME, THEMES_OF_RULES}
    wanted = known & set(names) if names else known
    return _changed(table, replace(rules, **{name: getattr(base, name) for name in wanted}))


def _changed(table: Table, rules: RuleSet) -> tuple[AnyEvent, ...]:
    require_playable(rules)
    return () if rules == table.record.rules else (RulesChanged(rules),)


def themed(rules: RuleSet, names: Collection[str]) -> RuleSet:
    """The rules with these themes in place of their own. Refusal: unknown_theme."""
    unknown = next((name for name in names if name not in THEMES), None)
    if unknown is not None:
        raise TableRefusal(TableCode.UNKNOWN_THEME, {"name": unknown})
    return with_themes(rules, names)


def require_playable(rules: RuleSet) -> None:
    """Refuse rules that cannot be played: target_out_of_range, rules_unplayable."""
    if not LOWEST_TARGET <= rules.target <= HIGHEST_TARGET or rules.target % POINTS:
        raise TableRefusal(
            TableCode.TARGET_OUT_OF_RANGE,
            {"target": rules.target, "lowest": LOWEST_TARGET, "highest": HIGHEST_TARGET, "multiple": POINTS},
        )
    problems = validate(rules)
    if problems:
        raise RulesRefused(problems)
