"""Paragraphs as they are cited, and what each of them says."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from discord import ui

from bot.engine.rules.parameters import PARAMETERS
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import RULE_SETS
from bot.i18n import Words
from cogs.shared.interactions.ids import ControlId
from cogs.shared.interactions.layout import MOST_OPTIONS, Option, Page, Part, button, buttons, select, text_page
from cogs.shared.telling.writing import sentence

ACTION: Final = "paragraph"
"""What a control asks for that opens a paragraph: that of its argument, or the one that is chosen in it."""

PENALTIES: Final = "1.22"
"""Where the prices stand that founding texts put on irregularities."""

CLASSIC: Final = tuple(f"1.{number}" for number in range(1, 23))


def short(paragraph: str) -> str:
    """The paragraph to open for what is cited: of a founding text that puts prices on irregularities, their own."""
    return PENALTIES if paragraph.startswith("S") else paragraph


def known(words: Words, number: str) -> bool:
    """Whether there is such a paragraph."""
    return f"paragraph_text.{number}" in words


def numbers(words: Words) -> list[str]:
    """Every paragraph, in the catalogue's order."""
    return [key.removeprefix("paragraph_text.") for key in words.entries if key.startswith("paragraph_text.")]


def title(words: Words, number: str) -> str:
    """A paragraph's number and what it is about."""
    return words("ruling.paragraph", number=number, name=words(f"paragraph.{number}"))


def told(words: Words, number: str) -> str:
    """A paragraph with what it says."""
    name = sentence(words(f"paragraph.{number}"))
    return words("rules_page.paragraph", number=number, name=name, text=words(f"paragraph_text.{number}"))


def paragraph_page(words: Words, number: str) -> Page:
    """A paragraph in a message of its own."""
    return text_page(told(words, number))


def paragraph_button(words: Words, paragraph: str) -> ui.Button[Any]:
    """A button that opens a paragraph where it is cited."""
    number = short(paragraph)
    return button(ControlId(0, 0, ACTION, number), words("rules_page.cited", number=number))


def paragraph_buttons(words: Words, cited: Iterable[str]) -> Part | None:
    """A row of buttons, one for each paragraph that is cited; None where none is."""
    numbers = dict.fromkeys(short(one) for one in cited)
    return buttons(*(paragraph_button(words, number) for number in list(numbers)[:5]))


def paragraph_menu(words: Words, rules: RuleSet) -> Part | None:
    """The paragraphs that these rules go by: the classic ones, and those of variants that they take something from."""
    numbers = list(dict.fromkeys((*CLASSIC, *_of_variants(rules), *(("themes",) if rules.theme else ()))))
    options = [Option(number, title(words, number)) for number in numbers[:MOST_OPTIONS]]
    return select(ControlId(0, 0, ACTION), words("rules_page.look_up"), options)


def _of_variants(rules: RuleSet) -> list[str]:
    """The sections on variants from which these rules have something, those with most of it first."""
    classic = RULE_SETS["classic"].get(rules.players, RULE_SETS["classic"][4])
    cited = [
        one.paragraph
        for one in PARAMETERS
        if one.paragraph.startswith("v") and one.value_in(rules) != one.value_in(classic)
    ]
    return sorted(set(cited), key=lambda number: -cited.count(number))
