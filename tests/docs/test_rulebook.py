"""The rule books on disk equal those made from the data."""

from __future__ import annotations

from functools import cache

import pytest

from bot.engine.moves.refusals import Code
from bot.engine.rules.parameters import PARAMETERS
from bot.engine.rules.sets import NOTES, RULE_SETS
from tests.docs import files_of_paragraphs, paragraphs_page, rulebook

made = cache(rulebook.rulebook_pages)

ON_DISK = sorted({file.name for file in rulebook.FOLDER.glob("*.md")} - rulebook.WRITTEN_BY_HAND)


@pytest.mark.parametrize("name", ON_DISK)
def test_a_page_on_disk_equals_the_page_from_the_data(name: str) -> None:
    assert made().get(name) == (rulebook.FOLDER / name).read_text(encoding="utf-8"), "make rulebook rewrites it"


def test_the_folder_has_exactly_the_expected_pages() -> None:
    assert sorted(made()) == ON_DISK, "make rulebook writes what is missing"


@pytest.mark.parametrize("name", RULE_SETS)
def test_a_page_has_every_parameter_once_and_the_source_of_the_rules(name: str) -> None:
    page = made()[f"{name}.md"]
    assert [1] * len(PARAMETERS) == [page.count(f"| `{one.name}` |") for one in PARAMETERS]
    assert NOTES[name].source in page
    assert [] == [point for point in NOTES[name].all_open_questions if point not in page]


def test_a_rulebook_marks_differences_from_the_classic_rules() -> None:
    assert "≠" not in made()["classic.md"]
    (line,) = [line for line in made()["italian-club.md"].splitlines() if "`wild_ratio`" in line]
    assert line.startswith("| ≠ |")
    assert "more natural cards than wild cards" in line


def test_a_value_that_differs_by_players_is_listed_for_each_number() -> None:
    (line,) = [line for line in made()["singkep.md"].splitlines() if "`hand_size`" in line]
    assert "2 players: 15<br>3 players: 13<br>4, 5 and 6 players: 11" in line


def test_every_cited_paragraph_has_a_text() -> None:
    assert list(paragraphs_page.LAWS) == paragraphs_page.cited_paragraphs()


def test_every_paragraph_names_a_file_that_decides_it() -> None:
    named = files_of_paragraphs.files_by_paragraph()
    assert [] == [paragraph for paragraph in paragraphs_page.cited_paragraphs() if paragraph not in named]


def test_a_parameter_is_read_in_a_file_that_decides_its_paragraph() -> None:
    named = files_of_paragraphs.files_by_paragraph()
    unread = {
        one.name
        for one in PARAMETERS
        if not any(one.name in files_of_paragraphs.parameters_used(file) for file in named[one.paragraph])
    }
    assert {"direction", "announce_one_card"} == unread, "these are told and change nothing"


def test_a_refusal_is_named_in_a_file_that_decides_its_paragraph() -> None:
    named = files_of_paragraphs.files_by_paragraph()
    lacking = {
        code.value: code.paragraph
        for code in Code
        if not any(code in files_of_paragraphs.refusal_codes(file) for file in named[code.paragraph])
    }
    assert {} == lacking


def test_every_paragraph_links_to_its_full_text() -> None:
    page = made()["paragraphs.md"]
    assert [1] * len(paragraphs_page.cited_paragraphs()) == [
        part.count("[In full](") for part in page.split("\n## § ")[1:]
    ]
