"""A thread for slow calculations about the rules, so that they do not block the event loop.

The program's own rule sets answer in a few milliseconds. House rules can take seconds (a hand of sixty cards, twos as a
rank, an initial meld of 1,000). Then only players of such rules wait: their calculations are done one by one in this
thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, Final, TypeVar

from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import RULE_SETS

Answer = TypeVar("Answer")


class RulesThread:
    """The thread for slow calculations; one per process, since more would compete for the interpreter."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="rules")

    async def run(self, rules: RuleSet, work: Callable[..., Answer], *arguments: Any) -> Answer:
        """Return the result of `work`: called directly if the rules are quick, else in the thread.

        Exceptions of `work` pass through.
        """
        if is_quick(rules):
            return work(*arguments)
        return await asyncio.get_running_loop().run_in_executor(self._thread, partial(work, *arguments))


@lru_cache(maxsize=256)
def is_quick(rules: RuleSet) -> bool:
    """Return whether calculations by these rules are quick.

    They are quick for a built-in rule set; its target score may differ. Other minimums of the initial meld do not make
    them slow if they are among the rule set's own, as at boards.
    """
    return _without_target(rules) in _QUICK or _without_target(_with_usual_minimums(rules)) in _QUICK


def _with_usual_minimums(rules: RuleSet) -> RuleSet:
    """Return the rules with the initial melds of their rule set, if their own minimum is one of these."""
    usual = RULE_SETS.get(rules.name, {}).get(rules.players)
    if usual is None or not {points for _, points in rules.open_table} <= {points for _, points in usual.open_table}:
        return rules
    return replace(rules, open_by=usual.open_by, open_table=usual.open_table)


def _without_target(rules: RuleSet) -> RuleSet:
    """Return the rules without their target score, for comparison."""
    return replace(rules, target=0)


_QUICK: Final = frozenset(_without_target(rules) for forms in RULE_SETS.values() for rules in forms.values())
