"""A table's rules in words, made from their parameters."""

from __future__ import annotations

from bot.engine.rules import RuleSet
from bot.engine.rulesets import rule_set
from bot.i18n import Words
from bot.tables.looks import TableLook
from cogs.shared.board import rules_name


def of_table(words: Words, look: TableLook) -> str:
    """The rules that a table plays."""
    rules = rule_set(look.rules, look.players) if look.view is None else look.view.rules
    return whole(words, rules, look.target)


def whole(words: Words, rules: RuleSet, target: int) -> str:
    """The rules in about ten sentences."""
    rows = ", ".join(
        words("rules_text.opening_row_first", minimum=minimum)
        if start is None
        else words("rules_text.opening_row", minimum=minimum, start=start)
        for start, minimum in rules.open_table
    )
    lines = [
        words("rules_text.title", rules=rules_name(words, rules.name), players=rules.players),
        words("rules_text.goal", target=target),
        words("rules_text.turn", draw=rules.draw),
        words("rules_text.meld", meld_min=rules.meld_min, min_naturals=rules.min_naturals, max_wilds=rules.max_wilds),
        words(
            "rules_text.canasta",
            canasta_size=rules.canasta_size,
            bonus_natural=rules.bonus_natural,
            bonus_mixed=rules.bonus_mixed,
        ),
        words("rules_text.opening", rows=rows),
        words("rules_text.pile"),
        words("rules_text.threes", red_three=rules.red3_values[0], red_all=rules.red3_values[-1]),
        words("rules_text.out", canastas=rules.out_canastas, bonus=rules.out_bonus, concealed=rules.concealed_extra),
    ]
    if rules.ask_partner != "none":
        lines.append(words("rules_text.ask"))
    lines.append(words("rules_text.values", ace=rules.ace_value, two=rules.card_values[12]))
    return "\n".join(lines)
