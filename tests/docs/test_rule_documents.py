"""The documents of the rules list exactly the parameters, their other names and paragraphs."""

from __future__ import annotations

import re
from typing import Final

from bot.engine.rules.option_names import NAMES
from bot.engine.rules.parameters import BY_NAME
from tests.docs import paragraphs_page
from tests.docs.citations import ROOT
from tests.docs.citations import paragraphs_of as of_paper

CLASSIC: Final = ROOT / "docs" / "law" / "classic.md"
VARIANTS: Final = ROOT / "docs" / "law" / "variants.md"


def section_text(section_number: str) -> str:
    """Return the text of that section of the variants."""
    _, _, rest = VARIANTS.read_text(encoding="utf-8").partition(f"\n### {section_number} ")
    return rest.partition("\n### ")[0]


def names_in_first_column(text: str) -> set[str]:
    """Return the code names in the first column of the tables in a text."""
    return {name for row in re.findall(r"^\| ([^|]*) \|", text, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)}


def test_the_law_lists_exactly_the_parameters() -> None:
    assert BY_NAME.keys() | {"players", "teams"} == names_in_first_column(section_text("A.1"))


def test_the_law_lists_exactly_the_other_names_of_parameters() -> None:
    told = names_in_first_column(section_text("A.4"))
    assert NAMES <= told
    assert told <= NAMES | BY_NAME.keys() | {"mandatory"}


def test_every_paragraph_named_by_refusals_is_in_the_law() -> None:
    law = of_paper(CLASSIC) | {f"v{number}" for number in of_paper(VARIANTS)} | {"themes"}
    assert [] == [paragraph for paragraph in paragraphs_page.cited_paragraphs() if paragraph not in law]


def test_a_house_rule_names_only_existing_parameters() -> None:
    rows = re.findall(r"^\| (H\d+) \|.*\| ([^|]*)\|$", CLASSIC.read_text(encoding="utf-8"), re.MULTILINE)
    assert [f"H{number}" for number in range(1, 47)] == [rule for rule, _ in rows]
    named = [(rule, name) for rule, data in rows for name in re.findall(r"`(\w+)[=`]", data)]
    assert [] == [one for one in named if one[1] not in BY_NAME]
