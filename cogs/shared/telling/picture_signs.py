"""The signs on pictures, such as FROZEN and MIX, each explained in a sentence.

The sentences contain the figures of the table's rules.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator
from typing import Final

from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.views import PublicView
from bot.i18n import Words
from cogs.shared.telling.names import picture_words
from cogs.shared.telling.numbers import group_thousands, number_with_sign

SIGNS: Final = ("frozen", "red_three", "mixed", "natural", "wild", "run")
"""The signs, in the order in which they are explained."""


MOST_TIMES: Final = 5
"""How often a sign is explained to a person at a table."""

MOST_KEPT: Final = 2_000
"""Number of people at tables for whom the counts are kept; for others they start again."""


class ExplainedSigns:
    """Counts how often each sign was explained to a person at a table; in memory only."""

    def __init__(self) -> None:
        self._counts: OrderedDict[tuple[int, int], Counter[str]] = OrderedDict()

    def signs_to_explain(self, person: int, table: int, shown: Iterable[str]) -> Iterator[str]:
        """Yield the signs among `shown` that were not explained to the person often enough."""
        counts = self._counts.get((person, table), Counter())
        return (sign for sign in shown if counts[sign] < MOST_TIMES)

    def count_explanation(self, person: int, table: int, sign: str) -> None:
        """Count one more explanation of the sign to the person."""
        self._counts.setdefault((person, table), Counter())[sign] += 1
        self._counts.move_to_end((person, table))
        if len(self._counts) > MOST_KEPT:
            self._counts.popitem(last=False)


def picture_signs_shown(view: PublicView) -> Iterator[str]:
    """Yield the signs that the pictures of this table show now."""
    melds = [meld for side in view.sides for meld in side.melds]
    shown = {meld.canasta for meld in melds if meld.canasta is not None}
    for sign in SIGNS:
        if sign == "frozen":
            visible = view.pile.frozen and view.pile.cards > 0
        elif sign == "red_three":
            visible = any(side.red_threes for side in view.sides)
        else:
            visible = sign in shown
        if visible:
            yield sign


def _frozen_key(rules: RuleSet) -> str:
    """Return the catalogue key of the sentence on a pile that is frozen for all under these rules."""
    if rules.pile_frozen == "always":
        return {"pair": "always_frozen", "triple": "always_frozen_three"}.get(rules.take_frozen, "always_frozen_wild")
    return "frozen" if rules.take_frozen == "pair" else "frozen_three"


def sign_explanation(words: Words, rules: RuleSet, sign: str) -> str:
    """Return a sentence on what a sign means under these rules.

    Return "" if they do not use it, or if one sentence cannot explain it.
    """
    said = picture_words(words)
    if sign == "frozen":
        return words(f"sign.{_frozen_key(rules)}", sign=said.frozen.upper())
    if sign == "red_three":
        return _red_three_text(words, rules)
    if sign == "mixed":
        return words("sign.mixed", sign=said.mixed, points=group_thousands(words, rules.bonus_mixed))
    if sign == "natural":
        return words("sign.natural", sign=said.natural, points=group_thousands(words, rules.bonus_natural))
    if sign == "run" and "seq" in rules.meld_kinds:
        return words("sign.run", sign=said.run, points=group_thousands(words, rules.bonus_seq))
    if sign == "wild" and rules.bonus_wild:
        points = [value for _, value in rules.bonus_wild]
        least, most = group_thousands(words, min(points)), group_thousands(words, max(points))
        key = "sign.wild" if least == most else "sign.wild_between"
        return words(key, sign=said.wild, points=most, least=least)
    return ""


def _red_three_text(words: Words, rules: RuleSet) -> str:
    """Return a sentence on what a red three counts under rules in which it is a bonus card."""
    if rules.red3_role != "bonus" or not rules.red3_values:
        return ""
    more, less = (number_with_sign(words, sign * rules.red3_values[0]) for sign in (1, -1))
    _, least, count = rules.red3_sign.partition("canastas>=")
    if least:
        return words("sign_red_three.canastas", count=int(count), more=more, less=less)
    if rules.red3_sign in ("opened", "always"):
        return words(f"sign_red_three.{rules.red3_sign}", more=more, less=less)
    return ""


def explain_all_signs(words: Words, rules: RuleSet) -> list[str]:
    """Return a sentence for every sign of these rules."""
    return [text for sign in SIGNS if (text := sign_explanation(words, rules, sign))]
