"""Rules paragraphs in messages, with buttons and a menu that open them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from discord import ui

from bot.engine.rules.parameters import PARAMETERS
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import RULE_SETS
from bot.i18n import Words
from cogs.shared.discord_api.components import Option, Page, Part, button, button_row, select, text_page
from cogs.shared.reading.custom_ids import MOST_OPTIONS, ControlId
from cogs.shared.telling.explanations import paragraph_text, paragraph_title, paragraph_to_open

ACTION: Final = "paragraph"
"""Action that opens a paragraph: the one in its argument, or the chosen one."""


CLASSIC: Final = tuple(f"1.{number}" for number in range(1, 23))


def paragraph_page(words: Words, paragraph: str) -> Page:
    """Return a message with the rules paragraph of that number."""
    return text_page(paragraph_text(words, paragraph))


def paragraph_button(words: Words, paragraph: str) -> ui.Button[Any]:
    """Return a button with a cited paragraph's number and title, which opens its text."""
    number = paragraph_to_open(paragraph)
    return button(ControlId(0, 0, ACTION, number), paragraph_title(words, number))


def paragraph_buttons(words: Words, paragraphs: Iterable[str]) -> Part | None:
    """Return a row with a button per cited paragraph, or None."""
    numbers = dict.fromkeys(paragraph_to_open(one) for one in paragraphs)
    return button_row(*(paragraph_button(words, number) for number in list(numbers)[:5]))


def paragraph_menu(words: Words, rules: RuleSet) -> Part | None:
    """Return a menu of the rules paragraphs that apply to these rules.

    These are the classic ones and those of the variants used.
    """
    numbers = list(dict.fromkeys((*CLASSIC, *_variant_sections(rules), *(("themes",) if rules.theme else ()))))
    options = [Option(number, paragraph_title(words, number)) for number in numbers[:MOST_OPTIONS]]
    return select(ControlId(0, 0, ACTION), words("rules_page.look_up"), options)


def _variant_sections(rules: RuleSet) -> list[str]:
    """Return the sections of variants that these rules use, the most used first."""
    classic = RULE_SETS["classic"].get(rules.players, RULE_SETS["classic"][4])
    cited = [
        one.paragraph
        for one in PARAMETERS
        if one.paragraph.startswith("v") and one.value_in(rules) != one.value_in(classic)
    ]
    return sorted(set(cited), key=lambda number: -cited.count(number))
