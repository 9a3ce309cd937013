"""The law books on disk say what the data says."""

from __future__ import annotations

from functools import cache

import pytest

from bot.engine.moves.refusals import Code
from bot.engine.rules.parameters import PARAMETERS
from bot.engine.rules.sets import NOTES, RULE_SETS
from tests.docs import deciding, paragraphs, rulebook

made = cache(rulebook.pages)

ON_DISK = sorted({file.name for file in rulebook.FOLDER.glob("*.md")} - rulebook.WRITTEN_BY_HAND)


@pytest.mark.parametrize("name", ON_DISK)
def test_a_page_says_what_the_data_says(name: str) -> None:
    assert made().get(name) == (rulebook.FOLDER / name).read_text(encoding="utf-8"), "make rulebook writes it anew"


def test_there_is_every_page_and_none_of_rules_that_are_no_more() -> None:
    assert sorted(made()) == ON_DISK, "make rulebook writes what is missing"


@pytest.mark.parametrize("name", RULE_SETS)
def test_a_page_tells_every_parameter_once_and_where_the_rules_come_from(name: str) -> None:
    page = made()[f"{name}.md"]
    assert [1] * len(PARAMETERS) == [page.count(f"| `{one.name}` |") for one in PARAMETERS]
    assert NOTES[name].source in page
    assert [] == [point for point in NOTES[name].all_points if point not in page]


def test_differences_are_marked_and_the_classic_laws_have_none() -> None:
    assert "≠" not in made()["classic.md"]
    (line,) = [line for line in made()["italian-club.md"].splitlines() if "`wild_ratio`" in line]
    assert line.startswith("| ≠ |")
    assert "more naturals than wild cards" in line


def test_different_forms_can_be_distinguished() -> None:
    (line,) = [line for line in made()["singkep.md"].splitlines() if "`hand_size`" in line]
    assert "2 players: 15<br>3 players: 13<br>4, 5 and 6 players: 11" in line


def test_every_paragraph_that_is_cited_has_a_law() -> None:
    assert list(paragraphs.LAWS) == paragraphs.cited()


def test_every_paragraph_names_a_file_that_decides_it() -> None:
    named = deciding.files()
    assert [] == [paragraph for paragraph in paragraphs.cited() if paragraph not in named]


def test_a_parameter_is_read_in_a_file_that_decides_its_paragraph() -> None:
    named = deciding.files()
    unread = {
        one.name for one in PARAMETERS if not any(one.name in deciding.reads(file) for file in named[one.paragraph])
    }
    assert {"direction", "announce_one_card"} == unread, "these are told and change nothing"


def test_a_refusal_is_named_in_a_file_that_decides_its_paragraph() -> None:
    named = deciding.files()
    lacking = {
        code.value: code.paragraph
        for code in Code
        if not any(code in deciding.refuses(file) for file in named[code.paragraph])
    }
    assert {} == lacking


def test_every_paragraph_leads_to_the_law_in_full() -> None:
    page = made()["paragraphs.md"]
    assert [1] * len(paragraphs.cited()) == [part.count("[In full](") for part in page.split("\n## § ")[1:]]
