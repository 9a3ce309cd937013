"""The rules thread: answers questions about the rules that may take long, beside the event loop.

The program's own rule sets answer in a few milliseconds. Under house rules a question may take seconds (a hand of
sixty cards, twos as a rank, an initial meld of 1,000), and then only those wait who play by such rules: their
questions are answered one by one in a thread of its own, while the event loop goes on.
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
    """One for the whole process: more threads would only take turns with each other, and keep the loop waiting."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="rules")

    async def ask(self, rules: RuleSet, work: Callable[..., Answer], *given: Any) -> Answer:
        """What `work` answers: at once where the rules are quick, else from the thread. Raises what it raises."""
        if is_quick(rules):
            return work(*given)
        return await asyncio.get_running_loop().run_in_executor(self._thread, partial(work, *given))


@lru_cache(maxsize=256)
def is_quick(rules: RuleSet) -> bool:
    """Whether these are rules of the program's own; the aim of the game makes no difference.

    Nor does it where every initial meld needs one of the points that they ask for anyhow, as at a board.
    """
    return _played(rules) in _QUICK or _played(_with_usual_minimums(rules)) in _QUICK


def _with_usual_minimums(rules: RuleSet) -> RuleSet:
    """Return the rules with their rule set's initial melds, if their own minimum is one of those."""
    usual = RULE_SETS.get(rules.name, {}).get(rules.players)
    if usual is None or not {points for _, points in rules.open_table} <= {points for _, points in usual.open_table}:
        return rules
    return replace(rules, open_by=usual.open_by, open_table=usual.open_table)


def _played(rules: RuleSet) -> RuleSet:
    return replace(rules, target=0)


_QUICK: Final = frozenset(_played(rules) for forms in RULE_SETS.values() for rules in forms.values())
